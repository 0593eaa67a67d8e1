/** Lets at most `max` holders in at a time; the others wait in line, and an abort takes them out of it. */
export interface Gate {
  /** Resolves to the function that gives the place back; it may be called more than once. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Whether nobody is inside or in line. */
  readonly idle: boolean;
}

export function createGate(max: number): Gate {
  let inside = 0;
  const line = new Set<() => void>();

  function leaver(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside -= 1;
      const [next] = line;
      next?.();
    };
  }

  return {
    get idle() {
      return inside === 0 && line.size === 0;
    },
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (inside < max) {
        inside += 1;
        return Promise.resolve(leaver());
      }
      return new Promise((resolve, reject) => {
        const step = () => {
          line.delete(step);
          signal.removeEventListener("abort", leave);
          inside += 1;
          resolve(leaver());
        };
        const leave = () => {
          line.delete(step);
          reject(signal.reason);
        };
        line.add(step);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}

/** One gate for each key, forgotten when nobody needs it. */
export function createGates(max: number): (key: string, signal: AbortSignal) => Promise<() => void> {
  const gates = new Map<string, Gate>();
  return async (key, signal) => {
    const gate = gates.get(key) ?? createGate(max);
    gates.set(key, gate);
    const leave = await gate.enter(signal);
    return () => {
      leave();
      if (gate.idle && gates.get(key) === gate) gates.delete(key);
    };
  };
}
