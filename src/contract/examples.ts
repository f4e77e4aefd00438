import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Ajv, type ErrorObject } from 'ajv';
import type { Contract } from './contract.js';
import { headerText, isObject, jsonMedia, type Described, type Schema } from './document.js';
import { ContractError, type Path, type Refuse } from './source.js';
import { withVocabulary } from './vocabulary.js';

/**
 * Refuses a contract with an invalid schema, with an example or a default that does not fit its schema, or with an example
 * that could not be sent where it is documented. Clients and mocks rely on examples; the service does not, so they are
 * checked only where they are used.
 */
export const checkExamples = ({ operations, locate }: Contract): void => {
  const refuse: Refuse = (path, what) => {
    throw new ContractError(what, locate(path));
  };
  const check = makeCheck(refuse);
  const checkHeader = makeHeaderCheck(refuse);
  for (const { definition, location } of operations.values()) {
    const [, path, method] = location;
    const here = `${String(method).toUpperCase()} ${String(path)}`;
    (definition.parameters ?? []).forEach((parameter, index) => {
      const at = [...location, 'parameters', index];
      check(parameter, at, `${here}: the example of ${parameter.name}`);
      if (parameter.in === 'header') checkHeader(parameter.name, parameter, at, here);
    });
    const body = definition.requestBody?.content[jsonMedia];
    if (body)
      check(body, [...location, 'requestBody', 'content', jsonMedia], `${here}: the example of the body`);
    for (const [status, { headers = {}, content }] of Object.entries(definition.responses)) {
      const response = [...location, 'responses', status];
      for (const [name, header] of Object.entries(headers)) {
        check(header, [...response, 'headers', name], `${here}: ${status}: the example of ${name}`);
        checkHeader(name, header, [...response, 'headers', name], `${here}: ${status}`);
      }
      const media = content?.[jsonMedia];
      if (media) check(media, [...response, 'content', jsonMedia], `${here}: ${status}: the example`);
    }
  }
};

const makeCheck = (refuse: Refuse) => {
  const checkDefaults = makeDefaultCheck(refuse);
  const ajv = withVocabulary(new Ajv({ strict: false, validateSchema: false, validateFormats: false }));
  return (described: Described, place: Path, what: string): void => {
    const { schema } = described;
    if (!schema) return;
    if (!ajv.validateSchema(withNumericBounds(schema))) {
      const error = ajv.errors?.[0];
      refuse(
        [...place, 'schema', ...segments(error)],
        `${what.split(': ')[0] ?? ''}: schema: ${textOf(error)}`,
      );
    }
    checkDefaults(schema, [...place, 'schema'], what.split(': ')[0] ?? '');
    const isValid = ajv.compile(schema);
    for (const [path, example] of examplesOf(described)) {
      if (isValid(example)) continue;
      const error = isValid.errors?.[0];
      refuse([...place, ...path, ...segments(error)], `${what} does not fit its schema: ${textOf(error)}`);
    }
  };
};

/** A request without the field would be refused for what it did not send. */
const makeDefaultCheck = (refuse: Refuse) => {
  const ajv = withVocabulary(new Ajv({ strict: false, validateSchema: false }));
  // Operations share what they refer to.
  const checked = new WeakSet<Schema>();
  const check = (schema: Schema | undefined, place: Path, here: string, names: readonly string[]): void => {
    if (!schema || checked.has(schema)) return;
    checked.add(schema);
    if (schema.default !== undefined) {
      const isValid = ajv.compile(schema);
      const of = names.length > 0 ? ` of ${names.join('.')}` : '';
      if (!isValid(schema.default))
        refuse(
          [...place, 'default', ...segments(isValid.errors?.[0])],
          `${here}: the default${of} does not fit its schema: ${textOf(isValid.errors?.[0])}`,
        );
    }
    for (const [name, field] of Object.entries(schema.properties ?? {}))
      check(field, [...place, 'properties', name], here, [...names, name]);
    schema.allOf?.forEach((part, index) => check(part, [...place, 'allOf', index], here, names));
    check(schema.items, [...place, 'items'], here, names);
    if (typeof schema.additionalProperties === 'object')
      check(schema.additionalProperties, [...place, 'additionalProperties'], here, names);
  };
  return (schema: Schema, place: Path, here: string): void => check(schema, place, here, []);
};

/** The schema of schemas knows exclusive bounds only as numbers. */
const withNumericBounds = (schema: object): object =>
  Object.fromEntries(
    Object.entries(schema).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'boolean' && /^exclusiveM(in|ax)imum$/.test(name)) return [name, 0];
      if (Array.isArray(value))
        return [name, value.map((item: unknown) => (isObject(item) ? withNumericBounds(item) : item))];
      return [name, isObject(value) ? withNumericBounds(value) : value];
    }),
  );

/** node:http throws at what is no header only when an answer is written, too late to tell where it comes from. */
const makeHeaderCheck =
  (refuse: Refuse) =>
  (name: string, header: Described, place: Path, here: string): void => {
    if (!isSendable(() => validateHeaderName(name)))
      refuse(place, `${here}: "${name}" is no name of a header`);
    for (const [path, example] of [...examplesOf(header), ...schemaExamplesOf(header)]) {
      if (isSendable(() => validateHeaderValue(name, headerText(example)))) continue;
      refuse([...place, ...path], `${here}: the example of ${name} can not be sent: ${allowedInHeader}`);
    }
  };

const allowedInHeader = 'a header holds characters of Latin-1 on one line';

const isSendable = (validate: () => void): boolean => {
  try {
    validate();
    return true;
  } catch {
    return false;
  }
};

/** What stands for an example where none is written. */
const schemaExamplesOf = ({ schema = {} }: Described): [Path, unknown][] => [
  ...(['example', 'default'] as const).flatMap((name): [Path, unknown][] =>
    schema[name] === undefined ? [] : [[['schema', name], schema[name]]],
  ),
  ...(schema.enum ?? []).map((value, index): [Path, unknown] => [['schema', 'enum', index], value]),
];

const examplesOf = ({ example, examples = {} }: Described): [Path, unknown][] => [
  ...(example === undefined ? [] : [[['example'], example] as [Path, unknown]]),
  ...Object.entries(examples).flatMap(([name, named]): [Path, unknown][] =>
    isObject(named) && 'value' in named ? [[['examples', name, 'value'], named['value']]] : [],
  ),
];

const segments = (error: ErrorObject | undefined): string[] =>
  (error?.instancePath ?? '')
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

const textOf = (error: ErrorObject | undefined): string =>
  `${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim();
