import type { ContractModel } from '../contract.js';
import { fieldCells, type Cell } from '../coverage/cells.js';
import {
  isJson,
  type BodyModel,
  type OperationModel,
  responseTo,
  type ResponseModel,
} from '../document/operations.js';
import type { SchemaModel } from '../document/schemaModel.js';
import { makeValidator, type ValidatorOptions } from '../document/validator.js';
import { isObject } from '../../../../src/contract/document.js';
import { isSameJson, jsonFields } from '../json.js';
import { eventStream, type HttpAnswer } from '../request.js';
import type { Fault } from '../stage.js';
import type { Expectation, Target } from '../target/target.js';
import { errorFaults, sortingFaults } from './bodyRules.js';
import { cookieFaults } from './cookies.js';

/** Holds answers against the contract. */
export interface AnswerCheck {
  /** What is wrong with an answer to an operation; nothing when it is as the contract says. */
  faults(operation: OperationModel, answer: HttpAnswer, expectation?: Expectation): Fault[];
  /** The fields of the contract that an answer shows. */
  shown(operation: OperationModel, answer: HttpAnswer): Cell[];
}

export const makeAnswerCheck = (
  contract: ContractModel,
  {
    fixture,
    keys,
    thirdParty,
    jsonContentType,
  }: Pick<Target, 'fixture' | 'keys' | 'thirdParty' | 'jsonContentType'>,
): AnswerCheck => ({
  faults: (operation, answer, expectation = {}) => {
    const response = responseTo(operation, answer.status);
    if (!response) return [undocumentedStatus(operation, answer)];
    // HTTP leaves the body away, whatever a GET would have.
    const described = operation.method.toLowerCase() === 'head' ? { ...response, bodies: [] } : response;
    return [
      ...headerFaults(response, answer, expectation),
      // What stands in front of a service may add headers of its own.
      ...(fixture ? undocumentedHeaders(response, answer) : []),
      ...bodyFaults(contract, described, answer, { strict: !thirdParty, jsonContentType }),
      ...errorFaults(operation, response, answer, expectation.messages).map((text) => ({
        text,
        cause: `${contract.at(response.location)} ${text.replace(/ .*/, '')}`,
      })),
      ...expectedBodyFaults(expectation.body, answer),
      ...cookieFaults(contract, answer),
      ...(expectation.also?.(answer) ?? []).map((text) => ({ text, cause: text })),
      ...echoes(answer, keys),
    ];
  },
  shown: (operation, answer) => {
    const response = responseTo(operation, answer.status);
    if (!response) return [];
    return [answer.body, ...eventData(answer)].flatMap((value) => fieldCells(operation, response, value));
  },
});

/** The start of an answer's text, for people. */
export const excerpt = ({ text }: HttpAnswer): string =>
  text === '' ? 'no body' : text.length > 200 ? `${text.slice(0, 200)}…` : text;

/** What decides about access is the same for all operations. */
const accessStatuses = [401, 403, 429];

/** The fault of an answer with another status than one of those; `why` they are expected. */
export const statusFaults = (
  { id }: Pick<OperationModel, 'id'>,
  expected: readonly number[],
  answer: HttpAnswer,
  why = '',
): Fault[] => {
  const { status } = answer;
  if (expected.includes(status)) return [];
  const [first = 0] = expected;
  const wanted = expected.length > 20 ? `${first} to ${expected.at(-1) ?? ''}` : expected.join(' or ');
  const text = `the status is ${status} instead of ${wanted}${why}: ${excerpt(answer)}`;
  const isAccess = accessStatuses.includes(first) && status < 400;
  return [{ text, cause: isAccess ? `no ${first}` : `${id} status ${status}` }];
};

const undocumentedStatus = ({ id }: OperationModel, answer: HttpAnswer): Fault => ({
  text: `the status ${answer.status} is not documented for ${id}: ${excerpt(answer)}`,
  cause: `${id} status ${answer.status}`,
});

const headerFaults = (
  { headers: documented }: ResponseModel,
  { headers }: HttpAnswer,
  { present = [], absent = [] }: Expectation,
): Fault[] => {
  const valueOf = (name: string): string | undefined => {
    const value = headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const fault = (text: string): Fault => ({ text, cause: text });
  const required = documented.filter((header) => header.required).map(({ name }) => name);
  return [
    ...[...new Set([...required, ...present])]
      .filter((name) => valueOf(name) === undefined)
      .map((name) => fault(`the header ${name} is missing`)),
    ...absent
      .filter((name) => valueOf(name) !== undefined)
      .map((name) => fault(`the header ${name} must not be there`)),
    ...documented.flatMap(({ name, schema = {} }) => {
      const text = valueOf(name);
      if (text === undefined) return [];
      const isNumber = schema.type === 'integer' || schema.type === 'number';
      const value = isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
      return makeValidator(schema)(value).map((wrong) => ({
        text: `the header ${name} (${text}): ${wrong.text}`,
        cause: `the header ${name}: ${wrong.keyword}`,
      }));
    }),
  ];
};

/** Headers that belong to HTTP, or are for browsers, and not to the contract. */
const plain = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
];

const undocumentedHeaders = ({ headers: documented }: ResponseModel, { headers }: HttpAnswer): Fault[] => {
  const known = [...plain, ...documented.map(({ name }) => name.toLowerCase())];
  return Object.keys(headers)
    .filter((name) => !known.includes(name))
    .map((name) => `the header ${name} is not documented`)
    .map((text) => ({ text, cause: text }));
};

/** Does a media type fit one of the contract, which may leave its second part, or both, open? */
const matchesMedia = (range: string, mediaType: string): boolean =>
  range === mediaType ||
  range === '*/*' ||
  (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)));

const bodyFaults = (
  contract: ContractModel,
  response: ResponseModel,
  answer: HttpAnswer,
  { jsonContentType, ...options }: ValidatorOptions & Pick<Target, 'jsonContentType'>,
): Fault[] => {
  const { bodies } = response;
  const fault = (text: string): Fault[] => [{ text, cause: `${contract.at(response.location)} body` }];
  if (bodies.length === 0)
    return answer.text === '' ? [] : fault(`there must be no body: ${excerpt(answer)}`);
  const type = answer.headers['content-type'] ?? '';
  const [mediaType = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const body = bodies.find((one) => matchesMedia(one.mediaType, mediaType));
  if (!body) {
    const documented = bodies.map((one) => one.mediaType).join(' or ');
    return fault(`Content-Type is ${type === '' ? 'missing' : `"${type}"`} instead of ${documented}`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && charset !== 'charset=utf-8') return fault(`Content-Type has ${charset}`);
  if (isJson(body) && jsonContentType !== undefined && type !== jsonContentType)
    return [
      {
        text: `Content-Type is "${type}" instead of "${jsonContentType}"`,
        cause: `Content-Type ${type}`,
      },
    ];
  if (isJson(body) && answer.body === undefined) return fault(`the body is no JSON: ${excerpt(answer)}`);
  if (mediaType === eventStream && !isEventStream(answer.text))
    return fault(`the body is no stream of events: ${excerpt(answer)}`);
  if (!body.schema) return [];
  if (mediaType === eventStream) return eventFaults(contract, body, answer);
  const value = isJson(body) ? answer.body : answer.text;
  // Where a shared schema stands, so that all answers that have it are one cause.
  const at = (): string => contract.at([...body.location, 'schema']);
  return [
    ...makeValidator(
      body.schema,
      options,
    )(value).map(({ text, keyword, path }) => ({
      text: `the body does not fit its schema: ${text}`,
      cause: `${at()} ${keyword} ${path.filter((name) => !/^\d+$/.test(name)).join('.')}`,
    })),
    ...sortingFaults(body.schema, value).map((text) => ({ text, cause: `${at()} sorting` })),
  ];
};

/** What a schema says of a stream of events beside `type: string` is true for the data of each. */
const eventFaults = (
  contract: ContractModel,
  { schema, location }: BodyModel,
  answer: HttpAnswer,
): Fault[] => {
  const ofData = (schema?.anyOf as SchemaModel[] | undefined)?.find(({ type }) => type === 'object');
  if (!ofData) return [];
  return eventData(answer).flatMap((data) =>
    makeValidator(ofData, { strict: true })(data).map(({ text, keyword, path }) => ({
      text: `the data of an event does not fit its schema: ${text}`,
      cause: `${contract.at([...location, 'schema'])} ${keyword} ${path.join('.')}`,
    })),
  );
};

/** The data of all events that have some. */
const eventData = ({ headers, text }: HttpAnswer): unknown[] =>
  headers['content-type']?.startsWith(eventStream)
    ? [...text.matchAll(/^data: (\{.+\})$/gm)].map(([, json = '']): unknown => JSON.parse(json))
    : [];

/** The lines that the HTML standard knows; the last one may be cut off. */
const isEventStream = (text: string): boolean =>
  text
    .split(/\r\n|\r|\n/)
    .slice(0, -1)
    .every((line) => /^(|:.*|(data|event|id|retry)(:.*)?)$/.test(line));

const expectedBodyFaults = (expected: unknown, { body }: HttpAnswer): Fault[] => {
  if (expected === undefined || isPartOf(expected, body)) return [];
  const text = `the body is ${body === undefined ? 'no JSON' : JSON.stringify(body)} and not as expected: ${JSON.stringify(expected)}`;
  return [{ text, cause: text }];
};

const isPartOf = (expected: unknown, value: unknown): boolean =>
  isObject(expected)
    ? Object.entries(expected).every(([name, field]) => isPartOf(field, jsonFields(value)[name]))
    : isSameJson(expected, value);

/** Nothing that a service says may hold a key. */
const echoes = ({ text, headers }: HttpAnswer, keys: Target['keys']): Fault[] => {
  const said = text + JSON.stringify(headers);
  const fault = 'the answer holds an API key';
  return (keys.current?.() ?? keys.all()).some((key) => said.includes(key.text()))
    ? [{ text: fault, cause: fault }]
    : [];
};
