/** As much of an OpenAPI 3.1 document as is looked into. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: object;
  readonly servers?: readonly object[];
  readonly tags?: readonly object[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers?: Readonly<Record<string, object>>;
    readonly examples?: Readonly<Record<string, object>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  responses: Record<string, Answer>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: object;
  example?: unknown;
}

export interface Answer {
  readonly description: string;
  headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Media>>;
  /** Has no entity tag. Never in the document that is sent. */
  uncached?: boolean;
}

export interface Media {
  schema?: object;
  example?: unknown;
  examples?: Readonly<Record<string, object>>;
}
