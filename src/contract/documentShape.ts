import { methods } from './document.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './dialects/jsonSchema.js';

/** What stands at a place of a contract, as far as references are concerned. */
export type Kind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'example'
  | 'link'
  | 'callback'
  | 'securityScheme'
  | 'schema'
  | 'discriminator'
  | 'free';

/** One thing of a kind, or a list of them, or several under names that the designer chose. */
export interface Shape {
  readonly form: 'one' | 'list' | 'map';
  readonly kind: Kind;
}

const one = (kind: Kind): Shape => ({ form: 'one', kind });
const list = (kind: Kind): Shape => ({ form: 'list', kind });
const map = (kind: Kind): Shape => ({ form: 'map', kind });

/**
 * Where components of a kind stand below `components`. Those that have no such place are not named anywhere.
 */
export const componentSections: Readonly<Partial<Record<Kind, string>>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
};

const fieldsOf = (names: readonly string[], shape: Shape): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape]));

const described = { schema: one('schema'), examples: map('example'), content: map('mediaType') };

const shapes: Readonly<Partial<Record<Kind, Readonly<Record<string, Shape>>>>> = {
  document: { paths: map('pathItem'), webhooks: map('pathItem'), components: one('components') },
  components: {
    ...Object.fromEntries(
      Object.entries(componentSections).map(([kind, section]) => [section, map(kind as Kind)]),
    ),
    pathItems: map('pathItem'),
  },
  pathItem: { parameters: list('parameter'), ...fieldsOf(methods, one('operation')) },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  parameter: described,
  header: described,
  requestBody: { content: map('mediaType') },
  response: { headers: map('header'), content: map('mediaType'), links: map('link') },
  mediaType: { ...described, encoding: map('encoding') },
  encoding: { headers: map('header') },
  schema: {
    ...fieldsOf(schemaKeywords, one('schema')),
    ...fieldsOf(schemaListKeywords, list('schema')),
    ...fieldsOf([...schemaMapKeywords, '$defs'], map('schema')),
    discriminator: one('discriminator'),
  },
};

const free = one('free');

/** What stands in a field of a thing; in a list `name` is an index. */
export const shapeOfField = ({ form, kind }: Shape, name: string): Shape => {
  if (form !== 'one') return one(kind);
  if (kind === 'callback') return one('pathItem');
  const fields = shapes[kind];
  return fields && Object.hasOwn(fields, name) ? (fields[name] ?? free) : free;
};
