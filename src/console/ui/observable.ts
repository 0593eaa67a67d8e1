import { useEffect, useState } from "preact/hooks";

/** One value that pages watch. */
export interface Observable<T> {
  get(): T;
  set(value: T): void;
  watch(told: (value: T) => void): () => void;
}

export function observable<T>(first: T): Observable<T> {
  let value = first;
  const watching = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const told of [...watching]) told(next);
    },
    watch(told) {
      watching.add(told);
      return () => watching.delete(told);
    },
  };
}

export function useObservable<T>(source: Observable<T>): T {
  const [value, show] = useState(source.get);
  useEffect(() => {
    show(() => source.get());
    return source.watch((next) => show(() => next));
  }, [source]);
  return value;
}
