import type { Schema } from './schema.js';

/** An example under a name. */
export interface NamedExample {
  value?: unknown;
}

/** What a body, a parameter or a header looks like. */
export interface Described {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, NamedExample>;
}

export interface Parameter extends Described {
  name: string;
  in: 'query' | 'header' | 'path' | 'cookie';
  required?: boolean;
  schema: Schema;
  'x-described'?: boolean;
}

export interface Header extends Described {
  required?: boolean;
}

export interface Response {
  description: string;
  headers?: Record<string, Header>;
  content?: Record<string, Described>;
  'x-error'?: string;
  'x-message'?: string;
}

export interface OperationObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': Described & { schema: Schema } } };
  responses: Record<string, Response>;
  'x-scope': string;
  'x-described'?: number[];
}

/** A contract as far as the service reads it, once its structure is checked. */
export interface ContractDocument {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
}

/** The value of a header as it is sent. */
export const headerText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const jsonMedia = 'application/json';
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
