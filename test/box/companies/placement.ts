/** The placement of an invented company. */
export interface Placement {
  /** Its top-level name: `test` in the box, `example` in what is shown to readers. */
  readonly top?: "test" | "example";
  /** Address of its hosts, for the lookup of their network; default: the box's address. */
  readonly address?: string;
}
