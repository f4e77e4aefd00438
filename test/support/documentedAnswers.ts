import type { IncomingHttpHeaders } from 'node:http';
import { expect } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { loadContract } from '../../src/contract/contract.js';
import { contractFile } from './contract.js';

interface Documented {
  readonly required: readonly string[];
  readonly headers: ReadonlyMap<string, ValidateFunction>;
  readonly body: ValidateFunction | undefined;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Headers that belong to HTTP and not to the contract. */
const plain = ['connection', 'content-length', 'content-type', 'date', 'keep-alive'];
/** Only a key with a limit gets 429, so these are always there then. */
const rateLimits = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/** Fails when an answer is not one that the contract documents for the operation. */
export type ExpectDocumented = (operationId: string, answer: ReceivedAnswer) => void;

export const makeExpectDocumented = (): ExpectDocumented => {
  const operations = compile();
  return (operationId, { status, headers, text }) => {
    const documented = operations.get(operationId)?.get(status);
    if (!documented) throw new Error(`${operationId} does not document ${status}: ${text.slice(0, 500)}`);
    const required = [...documented.required, ...(status === 429 ? rateLimits : [])];
    expect(required.filter((name) => headers[name] === undefined)).toEqual([]);
    for (const [name, value] of Object.entries(headers)) {
      if (plain.includes(name)) continue;
      const valid = documented.headers.get(name);
      if (!valid) throw new Error(`${operationId} ${status} does not document the header ${name}`);
      check(valid, valueOf(valid, String(value)), `${operationId} ${status} header ${name}`);
    }
    if (!documented.body) {
      expect(text).toBe('');
      return;
    }
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    check(documented.body, JSON.parse(text), `${operationId} ${status} body`);
  };
};

const compile = (): Map<string, Map<number, Documented>> => {
  const ajv = new Ajv({
    strict: false,
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
  });
  const { paths } = loadContract(contractFile).resolved;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return new Map(
    operations.map(({ operationId, responses }) => [
      operationId,
      new Map(Object.entries(responses).map(([status, response]) => [Number(status), read(ajv, response)])),
    ]),
  );
};

const read = (ajv: Ajv, response: object): Documented => {
  const { headers = {}, content } = response as {
    headers?: Record<string, { schema: object; required?: boolean }>;
    content?: Record<string, { schema: object }>;
  };
  const schema = content?.['application/json']?.schema;
  return {
    required: Object.keys(headers)
      .filter((name) => headers[name]?.required)
      .map((name) => name.toLowerCase()),
    headers: new Map(
      Object.entries(headers).map(([name, header]) => [name.toLowerCase(), ajv.compile(header.schema)]),
    ),
    body: schema && ajv.compile(schema),
  };
};

const valueOf = ({ schema }: ValidateFunction, text: string): unknown =>
  typeof schema === 'object' && schema['type'] === 'integer' && /^\d+$/.test(text) ? Number(text) : text;

const check = (valid: ValidateFunction, value: unknown, what: string): void => {
  if (valid(value)) return;
  throw new Error(`${what}: ${JSON.stringify(valid.errors)} in ${JSON.stringify(value).slice(0, 500)}`);
};
