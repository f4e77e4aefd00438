import type { Json } from './json.js';

/** A schema of OpenAPI 3.0 without references, as far as stages look into it. */
export interface SchemaModel {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, SchemaModel>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaModel;
  readonly items?: SchemaModel;
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
export interface DescribedModel {
  readonly pointer: string;
  readonly schema: SchemaModel | undefined;
  readonly schemaPointer: string;
  readonly examples: readonly WrittenExample[];
}

export interface ParameterModel extends DescribedModel {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path' | 'cookie';
  readonly required: boolean;
}

export interface HeaderModel extends DescribedModel {
  readonly name: string;
  readonly required: boolean;
}

/** One media type of a request body or a response. */
export interface BodyModel extends DescribedModel {
  readonly mediaType: string;
}

export interface ResponseModel {
  readonly status: number;
  /** `x-error` */
  readonly errorCode: string | undefined;
  readonly pointer: string;
  readonly headers: readonly HeaderModel[];
  /** The first media type; undefined for a response without content. */
  readonly body: BodyModel | undefined;
}

export interface RequestBodyModel extends BodyModel {
  readonly required: boolean;
  /** `x-max-bytes` */
  readonly maxBytes: number | undefined;
}

/** One operation, references followed. */
export interface OperationModel {
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
  readonly parameters: readonly ParameterModel[];
  readonly requestBody: RequestBodyModel | undefined;
  readonly responses: readonly ResponseModel[];
  /** As written, references replaced. */
  readonly resolved: Json;
}
