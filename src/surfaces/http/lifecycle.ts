export type ServiceState = "starting" | "ready" | "draining";

/** Where the service stands between its start and its end. */
export interface Lifecycle {
  state(): ServiceState;
  become(state: ServiceState): void;
}

export function createLifecycle(): Lifecycle {
  let current: ServiceState = "starting";
  return {
    state: () => current,
    become(state) {
      current = state;
    },
  };
}
