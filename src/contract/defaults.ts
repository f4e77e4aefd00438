import type { ErrorObject, ValidateFunction } from 'ajv';
import { fromPointerSegment } from '../lib/jsonPointer.js';
import type { Contract, Operation } from './contract.js';
import { hasFields, recursionTarget, type Described, type Schema } from './document.js';
import { ContractError, type Path } from './source.js';
import { makeAjv } from './vocabulary.js';

/**
 * Refuses a contract with a default that does not fit its own schema: a request without the field would be
 * refused for what it did not send. The build has checked the defaults of a prepared contract.
 */
export const checkDefaults = ({ operations, locate, isPrepared, resolved }: Contract): void => {
  if (isPrepared) return;
  const ajv = makeAjv(resolved, { strict: false, validateSchema: false });
  // Operations share what they refer to.
  const checked = new WeakSet<Schema>();

  const compile = (schema: Schema, place: Path, here: string): ValidateFunction => {
    try {
      return ajv.compile(schema);
    } catch (error) {
      throw new ContractError(`${here}: ${(error as Error).message}`, locate(place));
    }
  };

  const checkDefault = (schema: Schema, place: Path, here: string, names: readonly string[]): void => {
    const fits = compile(schema, place, here);
    if (fits(schema.default)) return;
    const error = fits.errors?.[0];
    const of = names.length > 0 ? ` of ${names.join('.')}` : '';
    throw new ContractError(
      `${here}: the default${of} does not fit its schema: ${misfitText(error)}`,
      locate([...place, 'default', ...misfitPath(error)]),
    );
  };

  const check = (written: Schema | undefined, place: Path, here: string, names: readonly string[]): void => {
    const schema = written && (recursionTarget(written) ?? written);
    if (!schema || checked.has(schema)) return;
    checked.add(schema);
    if (schema.default !== undefined) checkDefault(schema, place, here, names);
    for (const [name, field] of Object.entries(schema.properties ?? {}))
      check(field, [...place, 'properties', name], here, [...names, name]);
    schema.allOf?.forEach((part, index) => check(part, [...place, 'allOf', index], here, names));
    if (schema.discriminator)
      schema.oneOf?.forEach((part, index) => check(part, [...place, 'oneOf', index], here, names));
    check(schema.items, [...place, 'items'], here, names);
    if (typeof schema.additionalProperties === 'object')
      check(schema.additionalProperties, [...place, 'additionalProperties'], here, names);
  };

  for (const operation of operations.values())
    for (const [{ schema }, place] of describedParts(operation))
      check(schema, [...place, 'schema'], operation.name, []);
};

/** What an operation has schemas for, and where. */
const describedParts = ({ definition, location }: Operation): [Described, Path][] => {
  const { parameters = [], requestBody, responses } = definition;
  const json = (content: Readonly<Record<string, Described>> | undefined, place: Path): [Described, Path][] =>
    Object.entries(content ?? {})
      .filter(([media]) => hasFields(media))
      .map(([media, described]) => [described, [...place, 'content', media]]);
  return [
    ...parameters.map((parameter, index): [Described, Path] => [
      parameter,
      [...location, 'parameters', index],
    ]),
    ...json(requestBody?.content, [...location, 'requestBody']),
    ...Object.entries(responses).flatMap(([status, { headers = {}, content }]) => {
      const response = [...location, 'responses', status];
      return [
        ...Object.entries(headers).map(([name, header]): [Described, Path] => [
          header,
          [...response, 'headers', name],
        ]),
        ...json(content, response),
      ];
    }),
  ];
};

/** Where in a value it does not fit its schema. */
export const misfitPath = (error: ErrorObject | undefined): string[] =>
  (error?.instancePath ?? '').split('/').slice(1).map(fromPointerSegment);

/** Why a value does not fit its schema. */
export const misfitText = (error: ErrorObject | undefined): string =>
  `${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim();
