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

describe('every kind of security', () => {
  const source = `openapi: 3.1.0
info: { title: 'Loans "2"', version: '1' }
servers: [{ url: http://localhost }]
paths:
${(
  [
    ['optional', '[{}, { key: [] }]'],
    ['either', '[{ key: [] }, { login: [] }]'],
    ['both', '[{ key: [], oauth: [loans.write] }]'],
    ['oauth', '[{ oauth: [loans.read, loans.write] }]'],
    ['openid', '[{ openid: [] }]'],
  ] as const
)
  .map(
    ([name, security]) => `  /${name}:
    get:
      operationId: ${name}
      security: ${security}
      responses: { '200': { description: d, content: { application/json: { schema: {} } } } }
`,
  )
  .join('')}components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    login: { type: http, scheme: basic }
    oauth:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: { loans.read: r, loans.write: w } } }
    openid: { type: openIdConnect, openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' }
`;
  const handler = async ({ principal, reply }: HandlerRequest) => reply(200, { key: principal ?? null });
  let server: ContractServer;
  beforeAll(async () => {
    server = await startContractServer({
      source,
      handlers: { optional: handler, either: handler, both: handler, oauth: handler, openid: handler },
      access: {
        anonymous: undefined,
        authenticate: (token, scheme, _request, scopes) =>
          token.startsWith('good') ? [scheme, token, ...scopes].join(' ') : undefined,
        combine: (keys) => Object.values(keys).join(' and '),
      },
    });
  });
  afterAll(async () => {
    await server.stop();
  });

  const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const bearer = { Authorization: 'Bearer good' };

  test.each([
    ['optional security without credentials', '/optional', {}, ok({ key: null })],
    ['with good ones', '/optional', { 'X-Key': 'good' }, ok({ key: 'key good' })],
    ['with bad ones', '/optional', { 'X-Key': 'bad' }, { status: 401 }],
    ['the first of two alternatives', '/either', { 'X-Key': 'good' }, ok({ key: 'key good' })],
    ['the second, user and password', '/either', basic('good:Paß:1'), ok({ key: 'login good:Paß:1' })],
    [
      'a bad one beside a good one',
      '/either',
      { 'X-Key': 'bad', ...basic('good:') },
      ok({ key: 'login good:' }),
    ],
    ['a user without a password', '/either', basic('good'), { status: 401 }],
    ['neither', '/either', {}, { status: 401 }],
    [
      'two together',
      '/both',
      { 'X-Key': 'good', ...bearer },
      ok({ key: 'key good and oauth good loans.write' }),
    ],
    ['one of the two', '/both', { 'X-Key': 'good' }, { status: 401 }],
    ['OAuth 2.0, with its scopes', '/oauth', bearer, ok({ key: 'oauth good loans.read loans.write' })],
    ['OpenID Connect', '/openid', bearer, ok({ key: 'openid good' })],
  ])('%s', async (_what, path, headers, expected) => {
    expect(await send(server.url, 'GET', path, { headers })).toMatchObject(expected);
  });

  test('the challenge names the schemes of Authorization', async () => {
    const { headers } = await send(server.url, 'GET', '/either');
    expect(headers['www-authenticate']).toBe('Basic realm="Loans 2", charset="UTF-8", Bearer');
  });
});
