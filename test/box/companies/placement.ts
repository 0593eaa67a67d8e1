/** Where an invented company stands. */
export interface Placement {
  /** Its top-level name: `test` in the box, `example` in what is shown to readers. */
  readonly top?: "test" | "example";
  /** Address of its hosts, for the look-up of their network; the default is the box's own. */
  readonly address?: string;
}
