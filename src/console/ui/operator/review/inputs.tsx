import type { ComponentChildren } from "preact";
import { Field } from "../../parts/field.tsx";
import { OutcomeRows } from "./outcome-rows.tsx";
import { type Draft, type FieldName, WHOLE } from "./study-fields.ts";

export interface InputsProps {
  readonly name: FieldName;
  readonly title: string;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** What is wrong at a place within the field: `""` for the whole, `/0/metric` for a part. */
  readonly at: (place: string) => string | undefined;
  readonly onPoint: (pointer: string) => void;
}

interface Shape {
  readonly rows?: number;
  readonly hint?: string;
  readonly type?: "text" | "date";
}

/** Those of one text. */
const SHAPES: Readonly<Partial<Record<FieldName, Shape>>> = {
  title: { rows: 2 },
  country: { hint: "Two letters, such as DE" },
  published_at: { type: "date" },
  language: { hint: "Such as en" },
  summary: { rows: 4 },
  challenge: { rows: 5 },
  solution: { rows: 6 },
  products: { rows: 3, hint: "One a line" },
  tools: { rows: 4, hint: "One a line" },
};

/** Those of several texts, and how each is asked for. */
const PARTS: Readonly<Partial<Record<FieldName, readonly (readonly [string, string, Shape])[]>>> = {
  client: [
    ["name", "Client", {}],
    ["domain", "Client's domain", {}],
  ],
  quote: [
    ["text", "Quote", { rows: 4 }],
    ["person", "Who said it", {}],
    ["role", "Role", {}],
  ],
};

/** What a field is written in. */
export function Inputs(props: InputsProps) {
  const { name, title, draft, onDraft, at, onPoint } = props;
  if (name === "outcomes") return <OutcomeRows {...props} />;
  const set = (part: string) => (text: string) => onDraft({ ...draft, texts: { ...draft.texts, [part]: text } });
  const parts = PARTS[name];
  if (!parts) {
    return (
      <Pointing pointer={`/${name}`} onPoint={onPoint}>
        <Field
          label={title}
          value={draft.texts[WHOLE] ?? ""}
          onInput={set(WHOLE)}
          error={firstAt(at, ["", "/0", "/1", "/2", "/3", "/4"])}
          {...SHAPES[name]}
          required={name === "title"}
          plain
        />
      </Pointing>
    );
  }
  return (
    <fieldset class={`parts parts-${name}`}>
      <legend class="unseen">{title}</legend>
      {parts.map(([part, label, shape], position) => (
        <Pointing key={part} pointer={`/${name}/${part}`} onPoint={onPoint}>
          <Field
            label={label}
            value={draft.texts[part] ?? ""}
            onInput={set(part)}
            error={at(`/${part}`) ?? (position === 0 ? at("") : undefined)}
            {...shape}
            plain
          />
        </Pointing>
      ))}
    </fieldset>
  );
}

const firstAt = (at: InputsProps["at"], places: readonly string[]) =>
  places.map(at).find((detail) => detail !== undefined);

/** Says what has the focus. */
export const Pointing = ({
  pointer,
  onPoint,
  children,
}: {
  readonly pointer: string;
  readonly onPoint: (pointer: string) => void;
  readonly children: ComponentChildren;
}) => <div onFocusCapture={() => onPoint(pointer)}>{children}</div>;
