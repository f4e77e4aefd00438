import { get, ok, type Feature, type HandlerRequest } from './feature.js';

const handler = ({ principal, reply }: HandlerRequest): unknown => reply(200, { key: principal ?? null });

const secured = (name: string, security: string): string => get(`/${name}`, name, `security: ${security}`);

const securitySchemes = `
key: { type: apiKey, in: header, name: X-Key }
parameter: { type: apiKey, in: query, name: token }
session: { type: apiKey, in: cookie, name: sid }
login: { type: http, scheme: basic }
oauth:
  type: oauth2
  flows: { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: { loans: Loans } } }
openid: { type: openIdConnect, openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' }
`;

const access: Feature['access'] = {
  anonymous: undefined,
  authenticate: (token, scheme, _request, scopes) =>
    token.startsWith('good')
      ? [scheme, ...(token.includes(':Paß:1') ? ['Paß'] : []), ...scopes].join(' ')
      : undefined,
  combine: (keys) => Object.values(keys).join(' and '),
};

const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const bearer = { headers: { Authorization: 'Bearer good' } };

/** Who may make a request. */
export const securityFeatures: readonly Feature[] = [
  {
    row: 'security: HTTP bearer and basic, keys, OAuth 2.0, OpenID Connect',
    securitySchemes,
    paths: [
      secured('bearer', '[{ bearerAuth: [] }]'),
      secured('basic', '[{ login: [] }]'),
      secured('header', '[{ key: [] }]'),
      secured('query', '[{ parameter: [] }]'),
      secured('cookie', '[{ session: [] }]'),
      secured('oauth', '[{ oauth: [loans] }]'),
      secured('openid', '[{ openid: [] }]'),
      secured('both', '[{ session: [], parameter: [] }]'),
    ].join('\n'),
    access,
    handler,
    cases: [
      ['a bearer token', ['GET', '/bearer', bearer], ok({ key: 'bearerAuth' })],
      ['user and password', ['GET', '/basic', { headers: basic('good:Paß:1') }], ok({ key: 'login Paß' })],
      ['a key in a header', ['GET', '/header', { headers: { 'X-Key': 'good' } }], ok({ key: 'key' })],
      ['a key in the query', ['GET', '/query?token=good'], ok({ key: 'parameter' })],
      ['a key in a cookie', ['GET', '/cookie', { headers: { Cookie: 'sid=good' } }], ok({ key: 'session' })],
      ['OAuth 2.0, with its scopes', ['GET', '/oauth', bearer], ok({ key: 'oauth loans' })],
      ['OpenID Connect', ['GET', '/openid', bearer], ok({ key: 'openid' })],
      [
        'two together',
        ['GET', '/both?token=good', { headers: { Cookie: 'sid=good' } }],
        ok({ key: 'session and parameter' }),
      ],
      ['one of the two', ['GET', '/both', { headers: { Cookie: 'sid=good' } }], { status: 401 }],
      ['none', ['GET', '/header'], { status: 401 }],
      ['a bad one', ['GET', '/header', { headers: { 'X-Key': 'bad' } }], { status: 401 }],
    ],
  },
  {
    row: 'security that is optional, or one of several',
    securitySchemes,
    paths: `${secured('optional', '[{}, { key: [] }]')}\n${secured('either', '[{ key: [] }, { login: [] }]')}`,
    access,
    handler,
    cases: [
      ['without credentials', ['GET', '/optional'], ok({ key: null })],
      ['with good ones', ['GET', '/optional', { headers: { 'X-Key': 'good' } }], ok({ key: 'key' })],
      ['with bad ones', ['GET', '/optional', { headers: { 'X-Key': 'bad' } }], { status: 401 }],
      ['the first of two', ['GET', '/either', { headers: { 'X-Key': 'good' } }], ok({ key: 'key' })],
      ['the second', ['GET', '/either', { headers: basic('good:x') }], ok({ key: 'login' })],
      [
        'a bad one beside a good one',
        ['GET', '/either', { headers: { 'X-Key': 'bad', ...basic('good:') } }],
        ok({ key: 'login' }),
      ],
      ['neither', ['GET', '/either'], { status: 401 }],
      ['a user without a password', ['GET', '/either', { headers: basic('good') }], { status: 401 }],
    ],
  },
];
