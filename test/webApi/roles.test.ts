import { beforeAll, expect, test } from '@jest/globals';
import { loadContract, type Operation } from '../../src/contract/contract.js';
import { withAdmin } from '../support/api.js';
import { webContractFile } from '../support/contract.js';
import { exampleRequests, type ExampleRequest } from '../support/exampleRequests.js';
import type { Answer } from '../support/service.js';
import { makeBrowser, signInNew, type Browser } from '../support/web.js';

const { operations } = loadContract(webContractFile);
/** Every operation of the contract, so that none can be forgotten. A sign-out is last: it ends the session. */
const requests = exampleRequests(webContractFile)
  .filter(({ operationId }) => operationId !== 'followEvents')
  .sort((one, other) => Number(one.operationId === 'signOut') - Number(other.operationId === 'signOut'));
const operationOf = ({ operationId }: ExampleRequest): Operation => operations.get(operationId)!;
const isPublic = (request: ExampleRequest): boolean => operationOf(request).definition.security?.length === 0;
const scopeOf = (request: ExampleRequest): string => String(operationOf(request).definition['x-scope']);

/** From the one who may do least; each may do what those before may. */
const roles = ['viewer', 'staff', 'admin'];

const api = withAdmin();
let callers: [string, Browser][];
beforeAll(async () => {
  const siteIds = [await api.addSite({ name: 'Eigene' })];
  const viewer = await signInNew(api, api.admin, { name: 'Vera', role: 'viewer', siteIds });
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds });
  const other = await signInNew(api, api.admin, { name: 'Chefin', role: 'admin' });
  callers = [
    ['nobody', makeBrowser(api)],
    ['a stranger', makeBrowser(api, `session=${'x'.repeat(43)}`)],
    ['viewer', viewer],
    ['staff', staff],
    ['admin', other],
  ];
});

const send = (browser: Browser, { method, path }: ExampleRequest, body: unknown): Promise<Answer> =>
  browser.request(method, path, body === undefined ? {} : { body });

/** What somebody is answered at the door; a refusal that lies behind it is none. */
const outcomeOf = ({ status, body }: Answer): string => {
  const { message } = (body ?? {}) as { message?: string };
  return message === 'session-ended' || message === 'role-insufficient' ? `${status} ${message}` : 'let in';
};

const expectedFor = (caller: string, request: ExampleRequest): string => {
  if (isPublic(request)) return 'let in';
  if (!roles.includes(caller)) return '401 session-ended';
  return roles.indexOf(caller) < roles.indexOf(scopeOf(request)) ? '403 role-insufficient' : 'let in';
};

test('the contract has operations for everybody and for each role', () => {
  expect(new Set(requests.map((request) => (isPublic(request) ? 'everybody' : scopeOf(request))))).toEqual(
    new Set(['everybody', ...roles]),
  );
});

test('each operation lets in the roles that the contract names, and nobody else', async () => {
  const [expected, got]: [string[], string[]] = [[], []];
  for (const [caller, browser] of callers)
    for (const request of requests) {
      const outcome = expectedFor(caller, request);
      // Who may enter sends nothing that takes effect.
      const body = outcome === 'let in' && request.body !== undefined ? {} : request.body;
      const name = `${request.operationId} as ${caller}`;
      expected.push(`${name}: ${outcome}`);
      got.push(`${name}: ${outcomeOf(await send(browser, request, body))}`);
    }
  expect(got).toEqual(expected);
});

test('what runs the service is for administrators alone', () => {
  // Not from the contract: it could be wrong itself.
  const parts = [
    ...[
      'users',
      'sign-in-rules',
      'identity-provider',
      'keys',
      'controllers',
      'texts',
      'webhooks',
      'deliveries',
    ],
    ...['profile-order', 'default-profile', 'order-limits', 'kiosks', 'mail-server', 'sms-provider', 'audit'],
    ...['first-steps', 'system'],
  ];
  const partOf = ({ path }: ExampleRequest): string => /^\/([\w-]+)/.exec(path)?.[1] ?? '';
  const own = requests.filter((request) => parts.includes(partOf(request)));
  expect([...new Set(own.map(partOf))].sort()).toEqual(parts.toSorted());
  expect(own.filter((request) => scopeOf(request) !== 'admin').map(({ operationId }) => operationId)).toEqual(
    [],
  );
});

test('a viewer changes nothing but their own account', () => {
  const changes = requests.filter((request) => request.method !== 'GET' && scopeOf(request) === 'viewer');
  expect(changes.map(({ operationId }) => operationId).sort()).toEqual([
    'beginSecondFactor',
    'changePassword',
    'confirmSecondFactor',
    'deleteSecondFactor',
    'endOwnSession',
    'renewRecoveryCodes',
    'setLanguage',
    'signOut',
  ]);
});

test('for staff the site of others is as one that does not exist', async () => {
  const others = await api.addSite({ name: 'Fremde' });
  const petra = await signInNew(api, api.admin, { name: 'Petra', role: 'staff' });
  const ofSites = requests.filter(
    (request) => scopeOf(request) !== 'admin' && operationOf(request).template.parameters.includes('siteId'),
  );
  expect(ofSites).not.toEqual([]);
  for (const request of ofSites) {
    const answerFor = async (siteId: number): Promise<object> => {
      const path = request.path.replace(/\/sites\/\d+/, `/sites/${siteId}`);
      const { status, body } = await send(petra, { ...request, path }, request.body);
      return { operation: request.operationId, status, body };
    };
    const missing = await answerFor(999_999);
    expect(missing).toMatchObject({ status: 404 });
    expect(await answerFor(others)).toEqual(missing);
  }
});
