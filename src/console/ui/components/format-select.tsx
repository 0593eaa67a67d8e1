const FORMATS = ["csv", "ndjson", "parquet"] as const;

/** Formats of tables that the service writes. */
export type TableFormat = (typeof FORMATS)[number];

interface FormatSelectProps {
  readonly value: TableFormat;
  readonly onChange: (format: TableFormat) => void;
}

/** The format of a download. */
export const FormatSelect = ({ value, onChange }: FormatSelectProps) => (
  <select
    aria-label="Format"
    value={value}
    onChange={(event) => onChange(FORMATS.find((each) => each === event.currentTarget.value) ?? "csv")}
  >
    {FORMATS.map((each) => (
      <option key={each} value={each}>
        {each === "parquet" ? "Parquet" : each.toUpperCase()}
      </option>
    ))}
  </select>
);
