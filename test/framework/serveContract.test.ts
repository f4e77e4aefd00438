import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  HttpProblem,
  serveContract,
  type ContractService,
  type OperationHandler,
  type ServeContractOptions,
} from '../../src/framework/index.js';
import { openRaw } from '../support/rawSocket.js';
import { send } from '../support/service.js';

const contract = join(import.meta.dirname, 'tasks.yaml');

interface Caller {
  readonly name: string;
  readonly scopes: readonly string[];
}

interface Body {
  content: { 'application/json': { title: string } };
}

/** The operations of tasks.yaml, as their types are generated. */
interface Operations {
  getTask: { parameters: { path: { id: number } }; responses: { 200: Body; 404: { content?: never } } };
  putTask: {
    parameters: { path: { id: number } };
    requestBody: Body;
    responses: { 200: Body; 409: { content: { 'application/problem+json': object } } };
  };
  sayHello: { responses: { 200: Body } };
}

interface Services {
  readonly titles: Map<number, string>;
}

type Handler<Id extends keyof Operations> = OperationHandler<Operations[Id], Caller, Services>;
type Options = ServeContractOptions<Operations, Caller, Services>;

const getTask: Handler<'getTask'> = ({ input, reply }, { titles }) => {
  const title = titles.get(input.path.id);
  if (title === undefined) throw new HttpProblem('not_found');
  return reply(200, { title });
};
const putTask: Handler<'putTask'> = ({ input, principal, reply }, { titles }) => {
  if (titles.get(input.path.id) === 'done') throw new HttpProblem('done');
  titles.set(input.path.id, `${input.body.title} (${principal.name})`);
  return reply(200, { title: input.body.title });
};
const sayHello: Handler<'sayHello'> = ({ reply }) => reply(200, { title: 'Hello' });

const services: Services = {
  titles: new Map([
    [1, 'Sweep'],
    [2, 'done'],
  ]),
};
const common = {
  contract,
  services,
  authenticate: (token: string): Caller | undefined =>
    token === 'reader' || token === 'writer'
      ? { name: token, scopes: token === 'writer' ? ['read', 'write'] : ['read'] }
      : undefined,
  permits: ({ scopes }: Caller, scope: string) => scopes.includes(scope),
  logLevel: 'silent' as const,
};

let service: ContractService | undefined;
const start = async (options: Partial<Options> = {}): Promise<string> => {
  const handlers = { getTask, putTask, sayHello };
  service = await serveContract<Operations, Caller, Services>({ ...common, handlers, ...options });
  return (await service.listen({ port: 0 })).url;
};
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const problem = (status: number, detail: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', status, detail },
});

test('it answers below the path of the first server, with the form of errors that the contract has', async () => {
  const url = await start();
  expect(url).toMatch(/\/v1$/);
  const key = 'writer';
  expect(await send(url, 'GET', '/tasks/1', { key })).toMatchObject({
    status: 200,
    body: { title: 'Sweep' },
  });
  expect(await send(url, 'GET', '/tasks/9', { key })).toMatchObject(
    problem(404, 'There is no such resource'),
  );
  expect(await send(url, 'GET', '/tasks/x', { key })).toMatchObject(problem(400, 'id is invalid'));
  expect(await send(url, 'PUT', '/tasks/1', { key, body: { title: '' } })).toMatchObject(
    problem(400, 'title is invalid'),
  );
  expect(await send(url, 'PUT', '/tasks/2', { key, body: { title: 'x' } })).toMatchObject(
    problem(409, 'The task is done'),
  );
  expect(await send(url, 'POST', '/tasks/1', { key })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, PUT' },
  });
  expect(await send(url, 'GET', '/nothing')).toMatchObject({
    status: 404,
    body: { instance: '/v1/nothing' },
  });
  expect(await send(url.slice(0, -3), 'GET', '/tasks/1', { key })).toMatchObject({ status: 404 });
});

test('credentials, scopes and limits are asked of its own functions', async () => {
  const url = await start({
    countRequest: ({ name }) => ({ accepted: name === 'writer', limit: 1, remaining: 0, resetSeconds: 7 }),
  });
  expect(await send(url, 'GET', '/tasks/1')).toMatchObject({
    ...problem(401, 'Credentials are missing or invalid'),
    headers: { 'www-authenticate': 'Bearer' },
  });
  expect(await send(url, 'GET', '/tasks/1', { key: 'nobody' })).toMatchObject({ status: 401 });
  expect(await send(url, 'GET', '/tasks/1', { key: 'reader' })).toMatchObject({
    status: 429,
    headers: { 'retry-after': '7', 'ratelimit-limit': '1' },
  });
  expect(await send(url, 'GET', '/hello')).toMatchObject({ status: 200, body: { title: 'Hello' } });
});

test('without the scope of an operation a known caller gets 403', async () => {
  const url = await start();
  const body = { title: 'x' };
  expect(await send(url, 'PUT', '/tasks/1', { key: 'reader', body })).toMatchObject(
    problem(403, 'The scope write is missing'),
  );
});

test('health, readiness and metrics are there, and readiness is its own check', async () => {
  let reason: string | undefined = 'the disk is full: token=hunter2';
  const url = await start({
    checkReady: async () => {
      if (reason !== undefined) throw new Error(reason);
    },
    metricsToken: 'metrics-of-mine',
  });
  const origin = url.slice(0, -3);
  expect(await send(origin, 'GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await send(origin, 'GET', '/readyz')).toMatchObject({
    status: 503,
    body: { reason: 'the disk is full: token=…' },
  });
  reason = undefined;
  expect(await send(url, 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  expect(await send(url, 'POST', '/readyz')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect(await send(url, 'GET', '/metrics')).toMatchObject({ status: 403 });
  await send(url, 'GET', '/hello');
  const { text } = await send(url, 'GET', '/metrics', { key: 'metrics-of-mine' });
  expect(text).toContain('http_request_duration_seconds_count{operation="sayHello",status="200"} 1');
  expect(text).not.toMatch(/voucher/);
});

test('its description is the whole contract, at the address that the client used', async () => {
  const url = await start();
  const { body, headers } = await send(url, 'GET', '/openapi.json');
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(body).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url }],
    'x-scopes': ['read', 'write'],
    paths: { '/hello': { get: { operationId: 'sayHello' } } },
  });
  expect((await send(url, 'GET', '/openapi.yaml')).text).toContain(`servers: [{ url: "${url}" }]`);
});

test('as many requests as may be are in flight; others get 503 until one has ended', async () => {
  const release: (() => void)[] = [];
  const url = await start({
    handlers: {
      getTask,
      putTask,
      sayHello: async ({ reply }) => {
        await new Promise<void>((resolve) => void release.push(resolve));
        return reply(200, { title: 'Hello' });
      },
    },
    limits: { maxRequestsInFlight: 1 },
  });
  const first = send(url, 'GET', '/hello');
  let refused = await send(url, 'GET', '/tasks/1', { key: 'reader' });
  while (refused.status !== 503) refused = await send(url, 'GET', '/tasks/1', { key: 'reader' });
  expect(refused).toMatchObject({ headers: { 'retry-after': '1' } });
  for (const end of release) end();
  expect((await first).status).toBe(200);
  expect((await send(url, 'GET', '/tasks/1', { key: 'reader' })).status).toBe(200);
});

test('closing waits for what is in flight, and lets nobody in meanwhile', async () => {
  let [begun, end] = [(): void => undefined, (): void => undefined];
  const isRunning = new Promise<void>((resolve) => (begun = resolve));
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  const url = await start({
    handlers: {
      getTask,
      putTask,
      sayHello: async ({ reply }) => {
        begun();
        await mayEnd;
        return reply(200, { title: 'Hello' });
      },
    },
  });
  const answer = send(url, 'GET', '/hello');
  await isRunning;
  const closed = service?.close();
  await expect(openRaw(url)).rejects.toThrow(/ECONNREFUSED/);
  end();
  expect((await answer).status).toBe(200);
  await closed;
});

test('a reply that the contract does not document is a 500, unless it is only to be logged', async () => {
  const wrong = {
    getTask,
    putTask,
    sayHello: (({ reply }) => reply(200, { name: 1 } as never)) as typeof sayHello,
  };
  const strict = await start({ handlers: wrong, strictReplies: true });
  expect(await send(strict, 'GET', '/hello')).toMatchObject({ status: 500 });
  await service?.close();
  const lenient = await start({ handlers: wrong, strictReplies: false });
  expect(await send(lenient, 'GET', '/hello')).toMatchObject({ status: 200, body: { name: 1 } });
});

test('operations without a handler can be answered from the examples', async () => {
  const url = await start({ contract: pathToFileURL(contract), handlers: { sayHello }, mocks: 'missing' });
  expect(await send(url, 'GET', '/tasks/1', { key: 'reader' })).toMatchObject({
    status: 200,
    headers: { 'x-mock': 'true' },
    body: { title: 'Sweep' },
  });
});

describe('it does not start', () => {
  test.each<[string, Partial<Options>, RegExp]>([
    [
      'without a handler',
      { handlers: { getTask, putTask } as never },
      /^.*tasks\.yaml:33:20: sayHello has no handler$/,
    ],
    [
      'with a handler of no operation',
      { handlers: { getTask, putTask, sayHello, sing: sayHello } as never },
      /Unknown operationId sing/,
    ],
    ['without authenticate', { authenticate: undefined } as never, /GET \/tasks\/\{id\} needs credentials/],
    ['without its contract', { contract: join(import.meta.dirname, 'none.yaml') }, /none\.yaml/],
    [
      'below another path than its server says',
      { basePath: '/v2' },
      /has the path \/v1.*change it, or basePath/,
    ],
  ])('%s', async (_, options, message) => {
    await expect(start(options)).rejects.toThrow(message);
  });

  test('twice', async () => {
    await start();
    await expect(service?.listen({ port: 0 })).rejects.toThrow('it listens already');
  });
});
