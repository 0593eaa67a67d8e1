import type { Industries } from "../api-types.ts";
import { numberOf } from "../wording.ts";
import { Choice } from "./choice.tsx";

interface IndustryProps {
  readonly known: Industries["industries"];
  readonly value: string;
  readonly onChoose: (industry: string) => void;
  readonly label?: string;
}

/** The industries that there are; another one that an address names, a synonym say, stays chosen. */
export function IndustryChoice({ known, value, onChoose, label = "Industry" }: IndustryProps) {
  const chosen = known.find(({ industry, slug }) => [industry, slug].includes(value))?.industry ?? value;
  const names = known.map(
    ({ industry, case_studies }) => [industry, `${industry} (${numberOf(case_studies)})`] as const,
  );
  const other = chosen !== "" && !names.some(([name]) => name === chosen);
  return (
    <Choice
      label={label}
      value={chosen}
      onChoose={onChoose}
      options={[["", "Every industry"], ...(other ? [[chosen, chosen] as const] : []), ...names]}
    />
  );
}
