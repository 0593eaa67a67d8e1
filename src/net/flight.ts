/**
 * Callers who ask for the same thing at the same time share one flight. Each may leave by its own signal;
 * the flight is called off when the last one has left.
 */
export interface Flights<T> {
  /** Rejects with the signal's reason when `signal` aborts, else settles as `start` does. */
  join(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Calls off every flight. */
  cancel(reason: unknown): void;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly control: AbortController;
  passengers: number;
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>();

  function open(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const control = new AbortController();
    const flight: Flight<T> = { control, passengers: 0, result: start(control.signal) };
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(land, land);
    flights.set(key, flight);
    return flight;
  }

  return {
    join(key, signal, start) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const flight = flights.get(key) ?? open(key, start);
      flight.passengers += 1;
      return new Promise((resolve, reject) => {
        const leave = () => {
          flight.passengers -= 1;
          if (flight.passengers === 0) {
            // A newcomer must not board a flight that has been called off.
            if (flights.get(key) === flight) flights.delete(key);
            flight.control.abort(signal.reason);
          }
          reject(signal.reason);
        };
        signal.addEventListener("abort", leave, { once: true });
        flight.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
      });
    },
    cancel(reason) {
      for (const flight of flights.values()) flight.control.abort(reason);
    },
  };
}
