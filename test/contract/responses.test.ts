import { beforeAll, describe, expect, test } from '@jest/globals';
import { startProxy, violationsOf } from '../cli/proxy/servers.js';
import { startContractServer } from '../support/contractServer.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startInForeground } from '../support/foreground.js';
import { send } from '../support/service.js';
import { contract, indent, operation, parameters, type HandlerRequest } from './feature.js';

const body = (field: string): string =>
  `{ description: d, content: { application/json: { schema: { type: object, required: [${field}], properties: { ${field}: { type: string } } } } } }`;

const source = contract(`/one:
  get:
${indent(
  operation(
    'one',
    parameters('{ name: status, in: query, schema: { type: integer } }'),
    `responses:\n  '202': ${body('accepted')}\n  4XX: ${body('refused')}\n  '400': ${body('wrong')}\n  default: ${body('failed')}`,
  ),
  4,
)}
/two:
  get:
${indent(operation('two', parameters('{ name: status, in: query, schema: { type: integer } }'), `responses:\n  2XX: ${body('done')}\n  '200': ${body('ok')}`), 4)}`);

const replyAsAsked = ({ input, reply }: HandlerRequest): unknown =>
  reply((input['query'] as { status: number }).status, { refused: 'x' });

describe('a reply is compared with its status, or else with the range, or else with the default', () => {
  const server = forAllTests(
    () => startContractServer({ source, handlers: { one: replyAsAsked, two: replyAsAsked } }),
    'stop',
  );
  const replies: readonly [path: string, violations: string[]][] = [
    ['/one?status=400', ["one:  must have required property 'wrong'"]],
    ['/one?status=409', []],
    ['/one?status=503', ["one:  must have required property 'failed'"]],
    ['/two?status=200', ["two:  must have required property 'ok'"]],
    ['/two?status=201', ["two:  must have required property 'done'"]],
    ['/two?status=404', ['two: status 404 is not documented']],
  ];
  test('and a violation says which of them it is', async () => {
    for (const [path, expected] of replies) {
      const before = server.violations.length;
      await send(server.url, 'GET', path);
      expect([path, server.violations.slice(before)]).toEqual([path, expected]);
    }
  });
});

describe('of a contract of others', () => {
  let file: string;
  const folder = forAllTests(makeFolder, 'remove');
  beforeAll(async () => {
    file = join(folder.path, 'openapi.yaml');
    await writeFile(file, source);
  });

  describe('the mock', () => {
    const mock = forAllTests(
      () => startInForeground(['mock', '--contract', file], { PORT: '0', LOG_LEVEL: 'silent' }),
      'end',
    );
    const chosen: readonly [path: string, prefer: string | undefined, status: number, body: object][] = [
      ['/one', undefined, 202, { accepted: expect.any(String) }],
      ['/one', 'code=418', 418, { refused: expect.any(String) }],
      ['/one', 'code=400', 400, { wrong: expect.any(String) }],
      ['/one', 'code=503', 503, { failed: expect.any(String) }],
      ['/two', undefined, 200, { ok: expect.any(String) }],
      ['/two', 'code=204', 204, {}],
      ['/two', 'code=201', 201, { done: expect.any(String) }],
    ];
    test('answers with the status of Prefer, or else with the first success', async () => {
      for (const [path, prefer, status, expected] of chosen) {
        const headers = prefer === undefined ? {} : { Prefer: prefer };
        const answer = await send(mock.url, 'GET', path, { headers });
        expect([path, prefer, answer.status]).toEqual([path, prefer, status]);
        if (status !== 204) expect(answer.body).toEqual(expected);
      }
    });

    test('a status that nothing documents is refused with those that there are', async () => {
      expect(await send(mock.url, 'GET', '/two', { headers: { Prefer: 'code=404' } })).toMatchObject({
        status: 400,
        body: { message: 'Prefer: two has no code=404, but: 200, 2XX' },
      });
    });
  });

  test('the proxy compares with the same response', async () => {
    const server = await startContractServer({
      source: contract(
        `/one:\n  get:\n${indent(operation('any', parameters('{ name: status, in: query, schema: { type: integer } }')), 4)}`,
      ),
      handlers: { any: replyAsAsked },
    });
    const proxy = await startProxy(server.url, '--contract', file);
    const found = async (status: number): Promise<string[]> =>
      violationsOf(await send(proxy.url, 'GET', `/one?status=${String(status)}`, { key: 'x' }));
    expect(await found(409)).toEqual([]);
    const undocumented = 'response body: has a field that is not documented: "refused"';
    expect(await found(400)).toEqual(["response body: must have required property 'wrong'", undocumented]);
    expect(await found(503)).toEqual(["response body: must have required property 'failed'", undocumented]);
    await proxy.end();
    await server.stop();
  });
});

test('a reply with a body where none is documented is reported, and a 204 is sent without it', async () => {
  const delivered = (id: string, status: string): string =>
    `/${id}:\n  post:\n${indent(operation(id, '', `responses:\n  '${status}': { description: d }`), 4)}`;
  const reporting = await startContractServer({
    source: contract(`${delivered('gone', '204')}\n${delivered('accepted', '202')}`),
    handlers: {
      gone: async ({ reply }: HandlerRequest) => reply(204, { secret: 1 }),
      accepted: async ({ reply }: HandlerRequest) => reply(202, { job: 1 }),
    },
  });
  const gone = await send(reporting.url, 'POST', '/gone');
  expect(gone).toMatchObject({ status: 204, text: '' });
  expect(gone.headers).not.toHaveProperty('content-length');
  expect(await send(reporting.url, 'POST', '/accepted')).toMatchObject({ status: 202 });
  expect(reporting.violations).toEqual([
    'gone: the reply of 204 has a body, and none is documented',
    'accepted: the reply of 202 has a body, and none is documented',
  ]);
  await reporting.stop();
});
