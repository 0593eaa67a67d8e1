import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { CodeBlock } from "../components/code-block.tsx";
import { Badge } from "../components/marks.tsx";
import { Section } from "../components/panels.tsx";
import { Empty, QueryResult } from "../components/status.tsx";
import { useQuery } from "../queries.ts";
import { useTitle } from "../router.ts";
import {
  fieldsOf,
  limitsText,
  loadReference,
  type Operation,
  type Reference,
  type Schema,
  typeText,
} from "./document.ts";
import { TryOut } from "./try-out.tsx";

/** The reference of the API, made from its OpenAPI document: all operations, or one with its fields and a request. */
export function ReferencePage({ id }: { readonly id: string }) {
  const [result, retry] = useQuery(loadReference, []);
  return (
    <QueryResult result={result} retry={retry} lines={9}>
      {(reference) => {
        const operation = reference.groups
          .flatMap(({ operations }) => operations)
          .find(({ operationId }) => operationId === id);
        if (operation) return <OperationPage key={id} operation={operation} reference={reference} />;
        return id === "" ? (
          <Overview reference={reference} />
        ) : (
          <Empty title={`No operation is called “${id}”`}>
            <p>
              <a href="/docs">All operations</a>
            </p>
          </Empty>
        );
      }}
    </QueryResult>
  );
}

const PROSE = [
  [
    "Key",
    "Requests need an API key in `X-API-Key`, except those marked “no key”. Operator requests need the operator token: `Authorization: Bearer …`.",
  ],
  [
    "Quota",
    "Counted per calendar month (UTC). `RateLimit` has the requests left; after 429 or 503, wait `Retry-After` seconds.",
  ],
  [
    "Errors",
    "Problem details (RFC 9457) with a stable `code`; `detail` says what to do, `errors` what is wrong where.",
  ],
  [
    "Lists",
    "`limit` and an opaque `cursor`; the answer has `total` and `next_cursor`, which is `null` on the last page.",
  ],
] as const;

/** Groups with more operations are closed at first: those of the operator. */
const LONG = 20;

function Overview({ reference: { about, groups } }: { readonly reference: Reference }) {
  useTitle("API reference");
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const shown = groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ method, path, summary, operationId }) =>
        `${method} ${path} ${summary} ${operationId}`.toLowerCase().includes(wanted),
      ),
    }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>API reference</h1>
          <p class="lead">{about[0]}</p>
        </div>
        <div class="actions">
          <a class="button" href="/openapi.json" download="casefile-openapi.json">
            OpenAPI document
          </a>
          <a class="button" href="/llms.txt">
            llms.txt
          </a>
          <a class="button primary" href="/key">
            API key
          </a>
        </div>
      </div>
      {wanted === "" && (
        <dl class="reference-prose">
          {PROSE.map(([name, sentence]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <WithCode text={sentence} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <input
        class="reference-filter"
        type="search"
        aria-label="Filter operations"
        placeholder="Filter operations"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="visually-hidden" role="status">
        {shown.reduce((sum, { operations }) => sum + operations.length, 0)} operations
      </p>
      {shown.length === 0 && <Empty title="No operation matches" />}
      {shown.map(({ name, about: groupAbout, operations }) => (
        <Section key={name} title={name} class="reference-group">
          {groupAbout && <p class="faint">{groupAbout}</p>}
          {wanted === "" && operations.length > LONG ? (
            <details>
              <summary>Show all {operations.length}</summary>
              <Operations operations={operations} />
            </details>
          ) : (
            <Operations operations={operations} />
          )}
        </Section>
      ))}
      {wanted === "" && about.slice(1).map((paragraph) => <Paragraph key={paragraph} text={paragraph} />)}
    </>
  );
}

const Operations = ({ operations }: { readonly operations: readonly Operation[] }) => (
  <ul class="operations">
    {operations.map(({ operationId, method, path, summary, needs }) => (
      <li key={operationId}>
        <a href={`/docs/${operationId}`}>
          <Method method={method} />
          <code>{path}</code>
          <span>
            <WithCode text={summary} />
          </span>
          {needs === "nothing" && <Badge>No key</Badge>}
        </a>
      </li>
    ))}
  </ul>
);

const Method = ({ method }: { readonly method: string }) => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
);

/** A text in which `code` is marked by backticks. */
const WithCode = ({ text }: { readonly text: string }) => (
  <>
    {text.split("`").map((part, index) => (
      <Fragment key={index}>{index % 2 === 1 ? <code>{part}</code> : part}</Fragment>
    ))}
  </>
);

const Paragraph = ({ text }: { readonly text: string }) => (
  <p class="faint">
    <WithCode text={text} />
  </p>
);

const NEEDS: Readonly<Record<Operation["needs"], string>> = {
  nothing: "No key is needed.",
  key: "Needs an API key in `X-API-Key`.",
  operator: "Needs the operator token: `Authorization: Bearer …`.",
};

interface OperationProps {
  readonly operation: Operation;
  readonly reference: Reference;
}

function OperationPage({ operation, reference }: OperationProps) {
  const { summary, description, method, path, tags, parameters = [], requestBody, responses } = operation;
  useTitle(`${method} ${path}`);
  const codes = Object.entries(responses);
  const bodySchema = Object.values(requestBody?.content ?? {})[0]?.schema;
  return (
    <>
      <header class="operation-head">
        <p class="kicker">
          <a href="/docs">API reference</a> · {tags[0]}
        </p>
        <h1>
          <WithCode text={summary} />
        </h1>
        <p class="operation-line">
          <Method method={method} />
          <code>{path}</code>
        </p>
        {description && <Paragraph text={description} />}
        <Paragraph text={NEEDS[operation.needs]} />
      </header>
      <div class="operation-columns">
        <TryOut operation={operation} />
        <div class="stack">
          {parameters.length > 0 && (
            <Section title="Parameters">
              <ul class="schema">
                {parameters.map((parameter) => (
                  <SchemaField
                    key={`${parameter.in} ${parameter.name}`}
                    name={parameter.name}
                    required={parameter.required === true}
                    place={parameter.in}
                    schema={{
                      ...parameter.schema,
                      ...(parameter.description ? { description: parameter.description } : {}),
                    }}
                    schemas={reference.schemas}
                  />
                ))}
              </ul>
            </Section>
          )}
          {bodySchema && (
            <Section title="Body">
              <SchemaFields schema={bodySchema} schemas={reference.schemas} />
            </Section>
          )}
          {codes
            .filter(([code]) => code.startsWith("2"))
            .map(([code, answer]) => {
              const media = Object.entries(answer.content ?? {});
              const [, json] = media.find(([type]) => type.includes("json")) ?? media[0] ?? [];
              return (
                <Section key={code} title={`Answer ${code}`}>
                  <Paragraph text={answer.description} />
                  {media.length > 0 && <p class="faint">{media.map(([type]) => type).join(", ")}</p>}
                  {json?.schema && <SchemaFields schema={json.schema} schemas={reference.schemas} />}
                  {json?.example !== undefined && (
                    <details>
                      <summary>Example</summary>
                      <CodeBlock
                        label={`Example of answer ${code}`}
                        what="example"
                        text={typeof json.example === "string" ? json.example : JSON.stringify(json.example, null, 2)}
                      />
                    </details>
                  )}
                </Section>
              );
            })}
          <Section title="Other answers">
            <dl class="answers">
              {codes
                .filter(([code]) => !code.startsWith("2"))
                .map(([code, { description: meaning, content }]) => (
                  <div key={code}>
                    <dt>{code}</dt>
                    <dd>
                      <WithCode text={meaning} />{" "}
                      <span class="faint">
                        {Object.values(content ?? {})
                          .flatMap(({ examples }) => Object.keys(examples ?? {}))
                          .map((name, index) => (
                            <Fragment key={name}>
                              {index > 0 && ", "}
                              <code>{name}</code>
                            </Fragment>
                          ))}
                      </span>
                    </dd>
                  </div>
                ))}
            </dl>
          </Section>
        </div>
      </div>
    </>
  );
}

interface SchemaProps {
  readonly schema: Schema;
  readonly schemas: Reference["schemas"];
}

function SchemaFields({ schema, schemas }: SchemaProps) {
  const fields = fieldsOf(schema, schemas);
  if (fields.length === 0) return <p class="schema-type">{typeText(schema)}</p>;
  return (
    <ul class="schema">
      {fields.map((field) => (
        <SchemaField key={field.name} {...field} schemas={schemas} />
      ))}
    </ul>
  );
}

interface SchemaFieldProps extends SchemaProps {
  readonly name: string;
  readonly required: boolean;
  readonly place?: string;
}

/** One field: name, type, limits and meaning; its own fields when it is opened. */
function SchemaField({ name, required, place, schema, schemas }: SchemaFieldProps) {
  const [open, setOpen] = useState(false);
  const limits = limitsText(schema);
  const hasFields = fieldsOf(schema, schemas).length > 0;
  return (
    <li>
      <p>
        <code class="schema-name">{name}</code>{" "}
        <span class="schema-type">
          {[place, typeText(schema), limits, required ? "" : "optional"].filter(Boolean).join(" · ")}
        </span>
      </p>
      {schema.description && <Paragraph text={schema.description} />}
      {hasFields && (
        // The fields are made when they are shown: some schemas are deep.
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            Fields<span class="visually-hidden"> of {name}</span>
          </summary>
          {open && <SchemaFields schema={schema} schemas={schemas} />}
        </details>
      )}
    </li>
  );
}
