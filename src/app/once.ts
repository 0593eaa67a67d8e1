/** Opens at the first call, once for all who call; a failed opening is tried again at the next call. */
export function once<T>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  return {
    get: (): Promise<T> => {
      opening ??= open().catch((error) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    opened: async (): Promise<T | undefined> => opening?.catch(() => undefined),
  };
}
