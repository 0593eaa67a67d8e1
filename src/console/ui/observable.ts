import { useEffect, useState } from "preact/hooks";

/** A value that components can subscribe to. */
export interface Observable<T> {
  get(): T;
  set(value: T): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (value: T) => void): () => void;
}

export function observable<T>(initial: T): Observable<T> {
  let value = initial;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of [...listeners]) listener(next);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useObservable<T>(source: Observable<T>): T {
  const [value, setValue] = useState(source.get);
  useEffect(() => {
    setValue(() => source.get());
    return source.subscribe((next) => setValue(() => next));
  }, [source]);
  return value;
}
