import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startContractServer, type ContractServer } from '../support/contractServer.js';
import { send } from '../support/service.js';
import { contract, get, ok, type HandlerRequest } from './feature.js';

describe('security schemes are those of the contract', () => {
  const secured = (schemes: string, paths: string, security: string): string =>
    contract(paths)
      .replace('security: [{ bearerAuth: [] }]', `security: ${security}`)
      .replace('bearerAuth: { type: http, scheme: bearer }', schemes);
  const handler = async ({ principal, reply }: HandlerRequest) => reply(200, { key: principal ?? null });
  const source = secured(
    'session: { type: apiKey, in: cookie, name: sid }\n    token: { type: apiKey, in: query, name: t }',
    `${get('/me', 'me', '')}
${get('/both', 'both', 'security: [{ session: [], token: [] }]')}
${get('/open', 'open', 'security: []').replace(/ +x-scope: read\n/, '')}`,
    '[{ session: [] }]',
  );
  let server: ContractServer;
  beforeAll(async () => {
    server = await startContractServer(
      { source: contract(get('/me', 'me', '')), handlers: { me: handler } },
      {
        source,
        basePath: '/web',
        handlers: { me: handler, both: handler, open: handler },
        access: {
          anonymous: undefined,
          authenticate: (token, scheme) => (token === 'good' ? scheme : undefined),
        },
      },
    );
  });
  afterAll(async () => {
    await server.stop();
  });

  test.each([
    ['a cookie', '/web/me', { Cookie: 'a=1; sid=good' }, ok({ key: 'session' })],
    ['a wrong one', '/web/me', { Cookie: 'sid=bad' }, { status: 401 }],
    ['none', '/web/me', {}, { status: 401 }],
    ['a header means nothing to it', '/web/me', { Authorization: 'Bearer good' }, { status: 401 }],
    ['two together', '/web/both?t=good', { Cookie: 'sid=good' }, ok({ key: 'session' })],
    ['one of the two', '/web/both', { Cookie: 'sid=good' }, { status: 401 }],
    ['an operation that needs none', '/web/open', {}, ok({ key: null })],
    ['the other contract of the same server', '/me', { Authorization: 'Bearer x' }, ok({ key: 'x' })],
    [
      'its own description',
      '/web/openapi.yaml',
      {},
      { status: 200, text: expect.stringContaining('name: sid') },
    ],
  ])('%s', async (_what, path, headers, expected) => {
    expect(await send(server.url, 'GET', path, { headers })).toMatchObject(expected);
  });

  test('only a scheme that is read from Authorization is a challenge', async () => {
    const { headers } = await send(server.url, 'GET', '/web/me');
    expect(headers['www-authenticate']).toBeUndefined();
  });
});
