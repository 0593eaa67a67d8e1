export interface BrandIcons {
  /** Colour in hex, and the path of the SVG on a grid of 24. */
  readonly icons: readonly (readonly [hex: string, path: string])[];
  /** Index of the icon by the tool's name. */
  readonly tools: Readonly<Record<string, number>>;
}
