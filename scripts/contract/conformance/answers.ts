import type { ContractModel } from '../contract.js';
import { fieldNames, fieldNamesIn } from '../coverage/fields.js';
import type { HeaderModel, OperationModel, ResponseModel } from '../document/types.js';
import { makeValidator, type Validator } from '../document/validator.js';
import type { HttpAnswer } from '../request.js';
import type { Cell } from '../stage.js';
import type { Expectation, Target } from '../target/target.js';
import { errorFaults } from './messages.js';
import { sortingFaults } from './sorting.js';

/** Holds answers against the contract. */
export interface AnswerCheck {
  /** What is wrong with an answer to an operation, in words; nothing when it is as the contract says. */
  faults(operation: OperationModel, answer: HttpAnswer, expectation?: Expectation): string[];
  /** The fields of the contract that an answer shows. */
  shown(operation: OperationModel, answer: HttpAnswer): Cell[];
}

interface CompiledHeader extends HeaderModel {
  readonly validate: Validator;
}

interface CompiledResponse {
  readonly response: ResponseModel;
  readonly headers: readonly CompiledHeader[];
  readonly validate: Validator | undefined;
}

/** Headers that belong to HTTP and not to the contract. */
const plain = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
];

export const makeAnswerCheck = (
  contract: ContractModel,
  { fixture, keys }: Pick<Target, 'fixture' | 'keys'>,
): AnswerCheck => {
  const compiled = new Map(
    contract.operations.map((operation) => [
      operation.id,
      new Map(operation.responses.map((response) => [response.status, compile(response)])),
    ]),
  );
  return {
    faults: (operation, answer, expectation = {}) => {
      const documented = compiled.get(operation.id)?.get(answer.status);
      if (!documented) {
        return [`the status ${answer.status} is not documented for ${operation.id}: ${excerpt(answer)}`];
      }
      return [
        ...headerFaults(documented, answer, expectation),
        // What stands in front of a service may add headers of its own.
        ...(fixture ? undocumentedHeaders(documented, answer) : []),
        ...bodyFaults(documented, answer),
        ...errorFaults(operation, answer, expectation.messages),
        ...echoes(answer, keys),
      ];
    },
    shown: (operation, { status, body }) => {
      const schema = compiled.get(operation.id)?.get(status)?.response.body?.schema;
      return fieldNamesIn(schema, body).map((name) => fieldCell(operation, status, name));
    },
  };
};

/** The cells of all fields that answers with this status have. */
export const responseCells = (operation: OperationModel, { status, body }: ResponseModel): Cell[] =>
  fieldNames(body?.schema).map((name) => fieldCell(operation, status, name));

const fieldCell = ({ id }: OperationModel, status: number, name: string): Cell => ({
  operationId: id,
  kind: 'field',
  name: `${status} ${name}`,
});

/** The start of an answer's text, for people. */
export const excerpt = ({ text }: HttpAnswer): string =>
  text === '' ? 'no body' : text.length > 200 ? `${text.slice(0, 200)}…` : text;

const compile = (response: ResponseModel): CompiledResponse => ({
  response,
  headers: response.headers.map((header) => ({ ...header, validate: makeValidator(header.schema ?? {}) })),
  validate: response.body?.schema && makeValidator(response.body.schema, { strict: true }),
});

const headerFaults = (
  { headers: documented }: CompiledResponse,
  { headers }: HttpAnswer,
  { present = [], absent = [] }: Expectation,
): string[] => {
  const valueOf = (name: string): string | undefined => {
    const value = headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const needed = new Set([
    ...documented.filter(({ required }) => required).map(({ name }) => name),
    ...present,
  ]);
  return [
    ...[...needed]
      .filter((name) => valueOf(name) === undefined)
      .map((name) => `the header ${name} is missing`),
    ...absent
      .filter((name) => valueOf(name) !== undefined)
      .map((name) => `the header ${name} must not be there`),
    ...documented.flatMap(({ name, schema, validate }) => {
      const text = valueOf(name);
      if (text === undefined) return [];
      const isNumber = schema?.type === 'integer' || schema?.type === 'number';
      return validate(isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text).map(
        (fault) => `the header ${name} (${text}): ${fault}`,
      );
    }),
  ];
};

const undocumentedHeaders = (
  { headers: documented }: CompiledResponse,
  { headers }: HttpAnswer,
): string[] => {
  const known = [...plain, ...documented.map(({ name }) => name.toLowerCase())];
  return Object.keys(headers)
    .filter((name) => !known.includes(name))
    .map((name) => `the header ${name} is not documented`);
};

const bodyFaults = ({ response: { body }, validate }: CompiledResponse, answer: HttpAnswer): string[] => {
  if (!body) return answer.text === '' ? [] : [`there must be no body: ${excerpt(answer)}`];
  const type = answer.headers['content-type'] ?? '';
  const [mediaType = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (mediaType !== body.mediaType) {
    return [`Content-Type is ${type === '' ? 'missing' : `"${type}"`} instead of ${body.mediaType}`];
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && charset !== 'charset=utf-8') return [`Content-Type has ${charset}`];
  if (answer.body === undefined) return [`the body is no JSON: ${excerpt(answer)}`];
  return [
    ...(validate?.(answer.body) ?? []).map((fault) => `the body does not fit its schema: ${fault}`),
    ...sortingFaults(body.schema, answer.body),
  ];
};

/** Nothing that a service says may hold a key. */
const echoes = ({ text, headers }: HttpAnswer, keys: Target['keys']): string[] => {
  const said = text + JSON.stringify(headers);
  return keys.all().some((key) => said.includes(key.text())) ? ['the answer holds an API key'] : [];
};
