import { Ajv, type ErrorObject } from 'ajv';
import type { Contract } from './contract.js';
import { ContractError, type Path, type Refuse } from './contractError.js';
import { jsonMedia, type Described } from './document.js';
import { isObject } from './schema.js';

/**
 * Refuses a contract with a schema that is none, or with an example that does not fit its schema. Clients and
 * mocks rely on examples; the service itself does not, so only those who show them pay for this.
 */
export const checkExamples = ({ operations, at }: Contract): void => {
  const refuse: Refuse = (path, what) => {
    throw new ContractError(what, at(path));
  };
  const check = makeCheck(refuse);
  for (const { written, place } of operations.values()) {
    const [, path, method] = place;
    const here = `${String(method).toUpperCase()} ${String(path)}`;
    (written.parameters ?? []).forEach((parameter, index) => {
      check(parameter, [...place, 'parameters', index], `${here}: the example of ${parameter.name}`);
    });
    const body = written.requestBody?.content[jsonMedia];
    if (body)
      check(body, [...place, 'requestBody', 'content', jsonMedia], `${here}: the example of the body`);
    for (const [status, { headers = {}, content }] of Object.entries(written.responses)) {
      const response = [...place, 'responses', status];
      for (const [name, header] of Object.entries(headers))
        check(header, [...response, 'headers', name], `${here}: ${status}: the example of ${name}`);
      const media = content?.[jsonMedia];
      if (media) check(media, [...response, 'content', jsonMedia], `${here}: ${status}: the example`);
    }
  }
};

const makeCheck = (refuse: Refuse) => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  return (described: Described, place: Path, what: string): void => {
    const { schema } = described;
    if (!schema) return;
    if (!ajv.validateSchema(schema)) {
      const error = ajv.errors?.[0];
      refuse(
        [...place, 'schema', ...segments(error)],
        `${what.split(': ')[0] ?? ''}: schema: ${textOf(error)}`,
      );
    }
    const isValid = ajv.compile(schema);
    for (const [path, example] of examplesOf(described)) {
      if (isValid(example)) continue;
      const error = isValid.errors?.[0];
      refuse([...place, ...path, ...segments(error)], `${what} does not fit its schema: ${textOf(error)}`);
    }
  };
};

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
