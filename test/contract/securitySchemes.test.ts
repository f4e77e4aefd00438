import { describe, expect, test } from '@jest/globals';
import { startContractServer } from '../support/contractServer.js';
import { forAllTests } from '../support/fixture.js';
import { send } from '../support/service.js';
import { contract, get, ok, type HandlerRequest } from './feature.js';

const handler = async ({ principal, reply }: HandlerRequest) => reply(200, { key: principal ?? null });

describe('security schemes are those of the contract', () => {
  const secured = (schemes: string, paths: string, security: string): string =>
    contract(paths)
      .replace('security: [{ bearerAuth: [] }]', `security: ${security}`)
      .replace('bearerAuth: { type: http, scheme: bearer }', schemes);
  const source = secured(
    'session: { type: apiKey, in: cookie, name: sid }',
    `${get('/me', 'me', '')}
${get('/open', 'open', 'security: []').replace(/ +x-scope: read\n/, '')}`,
    '[{ session: [] }]',
  );
  const server = forAllTests(
    () =>
      startContractServer(
        { source: contract(get('/me', 'me', '')), handlers: { me: handler } },
        {
          source,
          basePath: '/web',
          handlers: { me: handler, open: handler },
          access: {
            anonymous: undefined,
            authenticate: (token, scheme) => (token === 'good' ? scheme : undefined),
          },
        },
      ),
    'stop',
  );

  test.each([
    ['its own scheme', '/web/me', { Cookie: 'a=1; sid=good' }, ok({ key: 'session' })],
    ['a header means nothing to it', '/web/me', { Authorization: 'Bearer good' }, { status: 401 }],
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

test('the challenge names the schemes of Authorization', async () => {
  const source = contract(
    get('/either', 'either', 'security: [{ key: [] }, { login: [] }, { bearerAuth: [] }]'),
  )
    .replace('title: t', `title: 'Loans "2"'`)
    .replace(
      'bearerAuth: {',
      'key: { type: apiKey, in: header, name: X-Key }\n    login: { type: http, scheme: basic }\n    bearerAuth: {',
    );
  const access = { anonymous: undefined, authenticate: () => undefined };
  const server = await startContractServer({ source, handlers: { either: handler }, access });
  const { headers } = await send(server.url, 'GET', '/either');
  expect(headers['www-authenticate']).toBe('Basic realm="Loans 2", charset="UTF-8", Bearer');
  await server.stop();
});
