import type { Contract, Problems } from '../contract/contract.js';
import { InvalidRequest } from '../contract/runtime/invalidRequest.js';
import { standardMessages, type MessageKey } from '../contract/standardMessages.js';
import type { HttpProblem, HttpProblemCode, TextValues } from '../errors/httpProblem.js';
import { fillTemplate } from '../lib/textTemplate.js';
import { jsonContentType, jsonResponse, type HttpResponse } from './response.js';

/** What an error says, whatever its form. */
export interface ErrorContent {
  readonly code: HttpProblemCode | (string & {});
  readonly message?: string;
  readonly values?: TextValues | undefined;
}

/** How the errors of a contract look. */
export interface ErrorForm {
  readonly contentType: string;
  body(status: number, error: ErrorContent): unknown;
  response(status: number, error: ErrorContent, headers?: string[]): HttpResponse;
  /** The response to a request that was refused. `documented` are the problems of its operation. */
  problemResponse(problem: HttpProblem<string>, documented?: Problems): HttpResponse;
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
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  server_error: 500,
  not_implemented: 501,
  unavailable: 503,
};

/** The errors of a contract. `all` are the problems of all its operations. */
export const makeErrorForm = ({ messages }: Pick<Contract, 'messages'>, all: Problems): ErrorForm => {
  const texts: Readonly<Partial<Record<string, string>>> = messages;
  const statuses: Readonly<Partial<Record<string, number>>> = usualStatuses;
  const body: ErrorForm['body'] = (_status, { code, message, values }) => ({
    error: code,
    message,
    ...(values && { values }),
  });
  const response: ErrorForm['response'] = (status, error, headers) =>
    jsonResponse(status, body(status, error), headers);
  return {
    contentType: jsonContentType,
    body,
    response,
    problemResponse: (problem, documented) => {
      const { code, headers } = problem;
      const values =
        problem instanceof InvalidRequest
          ? { message: fillTemplate(messages[problem.reason], problem.values) }
          : problem.values;
      const { status, text } = documented?.get(code) ??
        all.get(code) ?? {
          status: statuses[code] ?? 500,
          text: values['message'] ?? texts[code] ?? code,
        };
      const message = fillTemplate(text, values);
      return response(status, { code, message, values: problem.textValues }, Object.entries(headers).flat());
    },
    text: (key) => messages[key],
  };
};

/** For a server without a contract. */
export const standardErrorForm = makeErrorForm({ messages: standardMessages }, new Map());
