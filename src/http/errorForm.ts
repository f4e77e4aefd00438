import { STATUS_CODES } from 'node:http';
import type { Contract, Problems } from '../contract/contract.js';
import { InvalidRequest, OtherMediaType } from '../contract/runtime/invalidRequest.js';
import { standardMessages, type MessageKey } from '../contract/standardMessages.js';
import type { HttpProblem, HttpProblemCode, TextValues } from '../errors/httpProblem.js';
import { fillTemplate } from '../lib/textTemplate.js';
import { jsonContentType, jsonResponse, type HttpResponse } from './response.js';

/** What an error says, whatever its form. */
export interface ErrorContent {
  readonly code: HttpProblemCode | (string & {});
  readonly message?: string;
  readonly values?: TextValues | undefined;
  /** What was asked for: the path of the request, perhaps with its query. */
  readonly target?: string | undefined;
}

/** How the errors of a contract look. */
export interface ErrorForm {
  readonly contentType: string;
  body(status: number, error: ErrorContent): unknown;
  response(status: number, error: ErrorContent, headers?: string[]): HttpResponse;
  /** The response to a request that was refused. `documented` are the problems of its operation. */
  problemResponse(
    problem: HttpProblem<string>,
    target: string | undefined,
    documented?: Problems,
  ): HttpResponse;
  /** A text that belongs to no response of the contract. */
  text(key: MessageKey): string;
}

/** For contracts that do not say which status these errors have. */
const usualStatuses: Readonly<Record<HttpProblemCode, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  server_error: 500,
  not_implemented: 501,
  unavailable: 503,
};

type ErrorBody = Pick<ErrorForm, 'contentType' | 'body'>;

const codeAndMessage: ErrorBody = {
  contentType: jsonContentType,
  body: (_status, { code, message, values }) => ({ error: code, message, ...(values && { values }) }),
};

/** RFC 9457. `types` is the address of the types of problems, if they have any. */
const problemDetails = (types: string | undefined): ErrorBody => ({
  contentType: 'application/problem+json',
  body: (status, { code, message, values, target }) => ({
    type: types === undefined ? 'about:blank' : fillTemplate(types, { code }),
    title: STATUS_CODES[status] ?? code,
    status,
    detail: message,
    ...(target?.startsWith('/') && { instance: target.split('?')[0] }),
    ...(values && { values }),
  }),
});

/** The errors of a contract. `all` are the problems of all its operations. */
export const makeErrorForm = (
  { messages, resolved: { 'x-problem': problemForm } }: ContractErrors,
  all: Problems,
): ErrorForm => {
  const texts: Readonly<Partial<Record<string, string>>> = messages;
  const statuses: Readonly<Partial<Record<string, number>>> = usualStatuses;
  const { contentType, body } =
    problemForm === undefined
      ? codeAndMessage
      : problemDetails(problemForm === true ? undefined : problemForm);
  const response: ErrorForm['response'] = (status, error, headers) => ({
    ...jsonResponse(status, body(status, error), headers),
    contentType,
  });
  return {
    contentType,
    body,
    response,
    problemResponse: (problem, target, documented) => {
      const { code, headers } = problem;
      const values =
        problem instanceof InvalidRequest || problem instanceof OtherMediaType
          ? { message: fillTemplate(messages[problem.reason], problem.values) }
          : problem.values;
      const given = documented?.get(code) ?? all.get(code);
      const status = given?.status ?? statuses[code] ?? 500;
      const text = given?.text ?? values['message'] ?? texts[code] ?? code;
      const message = fillTemplate(text, values);
      const content = { code, message, values: problem.textValues, target };
      return response(status, content, Object.entries(headers).flat());
    },
    text: (key) => messages[key],
  };
};

/** What a contract says of errors in general. */
interface ContractErrors extends Pick<Contract, 'messages'> {
  readonly resolved: Pick<Contract['resolved'], 'x-problem'>;
}

/** For a server without a contract. */
export const standardErrorForm = makeErrorForm({ messages: standardMessages, resolved: {} }, new Map());
