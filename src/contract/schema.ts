/** The part of a JSON schema, with our extension keys, that the contract's own rules are made of. */
export interface Schema {
  type?: 'integer' | 'string' | 'object' | 'array' | 'boolean' | 'number';
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  example?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  'x-lenient'?: boolean;
  'x-leading-number'?: boolean;
  'x-trim'?: boolean;
  'x-below-minimum'?: 'default' | 'minimum';
  'x-above-maximum'?: 'maximum';
  'x-otherwise'?: 'absent' | 'empty';
  'x-message'?: string | Record<string, string>;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
