import { readContractSource } from './files/bundle.js';
import { expandDiscriminators } from './dialects/discriminators.js';
import { isObject, isOpenApi31, multipartMedia } from './document.js';
import { isFileSchema } from './bodies/fileFields.js';
import { pointerOf, type Source } from './source.js';

/**
 * The contract as types are made of it: what a discriminator chooses from are alternatives that differ in its
 * field, so a handler that has looked at the field has the type of one of them.
 */
export const typedDocument = (source: Pick<Source, 'document' | 'at'>): unknown => {
  const { document } = expandDiscriminators(source, false);
  const present = withDefaultParameters(document);
  return needsChange(present) ? withoutDiscriminators(withCallbacks(withFileMarks(present))) : present;
};

/** The same of a contract in one file or several. */
export const readTypedDocument = (text: string, file: string): unknown =>
  typedDocument(readContractSource(text, file));

/** Does a contract have something that the generator does not know, or not well enough? */
const needsChange = (node: unknown): boolean =>
  Array.isArray(node)
    ? node.some(needsChange)
    : isObject(node) &&
      (['discriminator', 'callbacks', multipartMedia].some((name) => node[name] !== undefined) ||
        isJsonParameter(node) ||
        Object.values(node).some(needsChange));

const isJsonParameter = (node: Record<string, unknown>): boolean =>
  isParameter(node) && isObject(node['content']);

const isParameter = ({ in: place, name }: Record<string, unknown>): boolean =>
  typeof place === 'string' && typeof name === 'string';

/**
 * A parameter with a default is always there when a handler runs. The generator knows that of fields only.
 */
const withDefaultParameters = (document: unknown): unknown => {
  const keepsSiblings = isObject(document) && isOpenApi31(document);

  const hasDefault = (node: unknown, open: readonly unknown[] = []): boolean => {
    if (!isObject(node) || open.includes(node)) return false;
    const within = [...open, node];
    if (typeof node['$ref'] === 'string') {
      if (hasDefault(followed(node, document), within)) return true;
      if (!keepsSiblings) return false;
    }
    const { allOf } = node;
    return (
      node['default'] !== undefined ||
      (Array.isArray(allOf) && allOf.some((part) => hasDefault(part, within)))
    );
  };

  const schemaOf = ({ schema, content }: Record<string, unknown>): unknown =>
    schema ?? asFields(Object.values(asFields(content))[0])['schema'];

  const mark = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(mark);
    if (!isObject(node)) return node;
    const fields = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, mark(value)]));
    return isParameter(node) && hasDefault(schemaOf(node)) ? { ...fields, required: true } : fields;
  };

  return mark(document);
};

/** Callbacks stand among the webhooks, of which the generator knows: as `operationId.name`. */
const withCallbacks = (document: unknown): unknown => {
  const { paths, webhooks } = asFields(document);
  const callbacks = Object.values(asFields(paths)).flatMap((item) =>
    Object.values(asFields(item)).flatMap((operation) => {
      const { operationId: id, callbacks: named } = asFields(operation);
      return Object.entries(asFields(named)).flatMap(([name, callback]): [string, unknown][] => {
        const [sent] = Object.values(asFields(followed(callback, document)));
        return typeof id === 'string' && sent !== undefined ? [[`${id}.${name}`, withoutIds(sent)]] : [];
      });
    }),
  );
  if (callbacks.length === 0) return document;
  return {
    ...asFields(document),
    webhooks: { ...asFields(webhooks), ...Object.fromEntries(callbacks) },
  };
};

const asFields = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const followed = (node: unknown, document: unknown): unknown => {
  const { $ref: reference } = asFields(node);
  const pointer = typeof reference === 'string' ? pointerOf(reference) : undefined;
  return pointer ? pointer.reduce<unknown>((inside, name) => asFields(inside)[name], document) : node;
};

/**
 * What `types.ts` knows as a file in `multipart/form-data`,
 * and as a text in JSON. Whole bodies are streams anyway.
 */
const withFileMarks = (document: unknown): unknown =>
  mentionsMultipart(document) ? markFiles(document) : document;

const mentionsMultipart = (node: unknown): boolean =>
  Array.isArray(node)
    ? node.some(mentionsMultipart)
    : isObject(node) && (node[multipartMedia] !== undefined || Object.values(node).some(mentionsMultipart));

const markFiles = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(markFiles);
  if (!isObject(node)) return node;
  if (!isFileSchema(node))
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, markFiles(value)]));
  const { description } = node;
  return {
    ...(description !== undefined && { description }),
    type: 'object',
    required: ['$file'],
    properties: { $file: { type: 'boolean', enum: [true] } },
  };
};

/** It would be among the operations that have handlers. */
const withoutIds = (item: unknown): unknown =>
  Object.fromEntries(
    Object.entries(asFields(item)).map(([name, value]) => {
      const { operationId: _id, ...operation } = asFields(value);
      return [name, isObject(value) ? operation : value];
    }),
  );

/**
 * The generator would write the field into the schemas themselves,
 * once for all discriminators that choose them. Of parameters it knows only those with a schema of their own.
 */
const withoutDiscriminators = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutDiscriminators);
  if (!isObject(node)) return node;
  if (isJsonParameter(node)) {
    const { content, ...parameter } = node;
    const [described] = Object.values(content as Record<string, unknown>);
    const schema = isObject(described) ? described['schema'] : undefined;
    return { ...parameter, schema: withoutDiscriminators(schema ?? {}) };
  }
  return Object.fromEntries(
    Object.entries(node)
      .filter(
        ([name, value]) => name !== 'discriminator' || !isObject(value) || !Array.isArray(node['oneOf']),
      )
      .map(([name, value]) => [name, withoutDiscriminators(value)]),
  );
};
