import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Contract } from './contract.js';
import { checkDefaults, misfitPath, misfitText } from './defaults.js';
import {
  headerText,
  isObject,
  isOpenApi31,
  jsonMedia,
  type ContractDocument,
  type Described,
  type Schema,
} from './document.js';
import { ContractError, type Path, type Refuse } from './source.js';
import { makeAjv } from './vocabulary.js';

/**
 * Refuses a contract with an invalid schema, with an example or a default that does not fit its schema, or with an example
 * that could not be sent where it is documented. Clients and mocks rely on examples; the service does not, so they are
 * checked only where they are used.
 */
export const checkExamples = (contract: Contract): void => {
  const { operations, locate, resolved } = contract;
  const refuse: Refuse = (path, what) => {
    throw new ContractError(what, locate(path));
  };
  const check = makeExampleCheck(resolved, refuse);
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
  checkDefaults(contract);
};

/** Refuses an invalid schema, and examples that do not fit it, also those that a schema of OpenAPI 3.1 lists itself. */
export const makeExampleCheck = (
  document: ContractDocument,
  refuse: Refuse,
  { checksListed = isOpenApi31(document) } = {},
) => {
  const ajv = makeAjv(document, { strict: false, validateSchema: false, validateFormats: false });
  const is31 = isOpenApi31(document);
  return (described: Described, place: Path, what: string): void => {
    const { schema } = described;
    if (!schema) return;
    if (!ajv.validateSchema(is31 ? schema : withNumericBounds(schema))) {
      const error = ajv.errors?.[0];
      refuse(
        [...place, 'schema', ...misfitPath(error)],
        `${what.split(': ')[0] ?? ''}: schema: ${misfitText(error)}`,
      );
    }
    const isValid = ajv.compile(schema);
    for (const [path, example] of [
      ...examplesOf(described),
      ...(checksListed ? listedExamplesOf(schema) : []),
    ]) {
      if (isValid(example)) continue;
      const error = isValid.errors?.[0];
      refuse(
        [...place, ...path, ...misfitPath(error)],
        `${what} does not fit its schema: ${misfitText(error)}`,
      );
    }
  };
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
export const makeHeaderCheck =
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

/** Those that a schema of OpenAPI 3.1 lists itself. */
const listedExamplesOf = ({ examples }: Schema): [Path, unknown][] =>
  Array.isArray(examples)
    ? examples.map((example, index): [Path, unknown] => [['schema', 'examples', index], example])
    : [];

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
