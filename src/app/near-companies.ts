import type { Companies } from "../store/companies.ts";
import { Failure } from "../vocabulary/failure.ts";

const MOST = 3;

/** A refusal of one slug that no company has names those that are like it, when there are any. */
export async function tellingNear<T>(companies: Pick<Companies, "search">, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const [slug] = error instanceof Failure && error.code === "company.not_found" ? (error.details.unknown ?? []) : [];
    if (!(error instanceof Failure) || slug === undefined) throw error;
    const near = (await companies.search({ q: slug, limit: MOST })).companies.map((company) => company.slug);
    if (near.length === 0) throw error;
    const advice = `No company has the slug ${slug.slice(0, 100)}; did you mean ${near.join(", ")}?`;
    throw new Failure(error.code, advice, error.details);
  }
}
