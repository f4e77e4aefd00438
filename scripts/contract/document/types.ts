import type { Json } from './json.js';

/** A schema of OpenAPI 3.0 without references, as far as stages look into it. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly [keyword: string]: unknown;
}

/** An `example`, with an empty name, or one of `examples`. */
export interface WrittenExample {
  readonly name: string;
  readonly value: unknown;
  readonly pointer: string;
}

/** A value that an example is given for; `pointer` is where it really stands, references followed. */
export interface Described {
  readonly pointer: string;
  readonly schema: Schema | undefined;
  readonly schemaPointer: string;
  readonly examples: readonly WrittenExample[];
}

export interface Parameter extends Described {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path' | 'cookie';
  readonly required: boolean;
}

export interface Header extends Described {
  readonly name: string;
  readonly required: boolean;
}

/** One media type of a request body or a response. */
export interface Body extends Described {
  readonly mediaType: string;
}

export interface Response {
  readonly status: number;
  /** `x-error` */
  readonly errorCode: string | undefined;
  readonly pointer: string;
  readonly headers: readonly Header[];
  /** The first media type; undefined for a response without content. */
  readonly body: Body | undefined;
}

/** One operation, references followed. */
export interface Operation {
  /** The operationId, or `GET /sites.php` where it is missing. */
  readonly id: string;
  readonly operationId: string | undefined;
  /** `GET` */
  readonly method: string;
  /** As in the contract: `/sites.php`. */
  readonly path: string;
  readonly pointer: string;
  /** `x-scope` */
  readonly scope: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly requestBody: (Body & { readonly required: boolean }) | undefined;
  readonly responses: readonly Response[];
  /** As written, references replaced. */
  readonly resolved: Json;
}
