import type { Schema } from '../../../../src/contract/document.js';

/** A schema without references, as far as stages look into it. */
export interface SchemaModel extends Schema {
  properties?: Record<string, SchemaModel>;
  items?: SchemaModel;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  'x-sorted-by'?: string;
  [keyword: string]: unknown;
}
