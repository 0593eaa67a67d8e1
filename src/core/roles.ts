/** Roles of operators, from the least to the most powerful; each may do what those before it may. */
export const ROLES = ["reader", "reviewer", "admin"] as const;
export type Role = (typeof ROLES)[number];

export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const isRole = (word: unknown): word is Role => ROLES.some((role) => role === word);
