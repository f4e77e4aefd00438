import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Contract, Operation } from '../contract.js';
import { checkDefaults, misfitPath, misfitText } from '../defaults.js';
import {
  headerText,
  hasFields,
  isObject,
  isOpenApi31,
  type ContractDocument,
  type Described,
  type Schema,
} from '../document.js';
import { ContractError, type Path, type Refuse } from '../source.js';
import { makeAjv } from '../vocabulary.js';

/**
 * Refuses a contract with an invalid schema, with an example or a default that does not fit its schema,
 * or with an example that could not be sent where it is documented. Clients and mocks rely on examples;
 * the service does not, so they are checked only where they are used.
 */
export const checkExamples = (contract: Contract): void => {
  const partsOf = makeExampleParts(contract);
  for (const operation of contract.operations.values())
    for (const { described, check } of partsOf(operation)) check(described);
  checkDefaults(contract);
};

/** A part of an operation that may have examples: a parameter, a body or a header. */
export interface ExamplePart {
  readonly described: Described;
  /** Throws `ContractError` for the schema of the part, or for an example that the part is given with. */
  check(described: Described): void;
  /** Takes a header from its reply, which can do without it. */
  leaveOut?(): void;
}

/** Lists the parts of an operation that may have examples. */
export const makeExampleParts = (
  { resolved, locate }: Contract,
  options?: ExampleCheckOptions,
): ((operation: Operation) => ExamplePart[]) => {
  const refuse: Refuse = (path, what) => {
    throw new ContractError(what, locate(path));
  };
  const checkExample = makeExampleCheck(resolved, refuse, options);
  const checkHeader = makeHeaderCheck(refuse);

  return ({ definition, location, name: here }) => {
    const { parameters = [], requestBody, responses } = definition;
    const body = (
      content: Readonly<Record<string, Described>> | undefined,
      place: Path,
      what: string,
    ): ExamplePart[] => {
      return Object.entries(content ?? {})
        .filter(([media]) => hasFields(media))
        .map(([media, described]) => ({
          described,
          check: (part) => checkExample(part, [...place, 'content', media], what),
        }));
    };
    return [
      ...parameters.map((parameter, index): ExamplePart => {
        const at = [...location, 'parameters', index];
        const check = (part: Described): void => {
          checkExample(part, at, `${here}: the example of ${parameter.name}`);
          if (parameter.in === 'header') checkHeader(parameter.name, part, at, here);
        };
        return { described: parameter, check };
      }),
      ...body(requestBody?.content, [...location, 'requestBody'], `${here}: the example of the body`),
      ...Object.entries(responses).flatMap(([status, { headers = {}, content }]) => {
        const place = [...location, 'responses', status];
        return [
          ...Object.entries(headers).map(([name, described]): ExamplePart => {
            const at = [...place, 'headers', name];
            const check = (part: Described): void => {
              checkExample(part, at, `${here}: ${status}: the example of ${name}`);
              checkHeader(name, part, at, `${here}: ${status}`);
            };
            return { described, check, leaveOut: () => void Reflect.deleteProperty(headers, name) };
          }),
          ...body(content, place, `${here}: ${status}: the example`),
        ];
      }),
    ];
  };
};

interface ExampleCheckOptions {
  /** Are examples that a schema of OpenAPI 3.1 lists itself checked, too? They are only for people. */
  readonly checksListed: boolean;
}

const makeExampleCheck = (
  document: ContractDocument,
  refuse: Refuse,
  { checksListed }: ExampleCheckOptions = { checksListed: isOpenApi31(document) },
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

/**
 * node:http throws at what is no header only when an answer is written, too late to tell where it comes from.
 */
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
