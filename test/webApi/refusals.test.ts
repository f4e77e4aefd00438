import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadContract, type Operation } from '../../src/contract/contract.js';
import { withAdmin } from '../support/api.js';
import { webContractFile } from '../support/contract.js';
import { exampleRequests, type ExampleRequest } from '../support/exampleRequests.js';
import type { Answer } from '../support/service.js';
import { makeBrowser, signInNew, type Browser } from '../support/web.js';

const { operations } = loadContract(webContractFile);
/** Every operation of the contract, so that none can be forgotten. */
const requests = exampleRequests(webContractFile);
const operationOf = ({ operationId }: ExampleRequest): Operation => operations.get(operationId)!;

const isPublic = (request: ExampleRequest): boolean => operationOf(request).security.length === 0;
const isAdminOnly = (request: ExampleRequest): boolean => operationOf(request).scope === 'admin';
const isUnsafe = ({ method }: ExampleRequest): boolean => method !== 'GET';
const titles = (wanted: readonly ExampleRequest[]): [string, ExampleRequest][] =>
  wanted.map((request) => [`${request.operationId} (${request.method} ${request.path})`, request]);

const api = withAdmin();
let staff: Browser;
beforeAll(async () => {
  const own = await api.addSite({ name: 'Eigene' });
  staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own] });
});

const send = (
  browser: Browser,
  { method, path, body }: ExampleRequest,
  headers: Record<string, string> = {},
): Promise<Answer> => browser.request(method, path, { headers, ...(body !== undefined && { body }) });

test('the contract has operations for everybody, for staff and for administrators', () => {
  expect(requests.filter(isPublic).length).toBeGreaterThan(0);
  expect(requests.filter(isAdminOnly).length).toBeGreaterThan(20);
});

describe('without a session', () => {
  test.each(titles(requests.filter((request) => !isPublic(request))))('%s is 401', async (_, request) => {
    expect(await send(makeBrowser(api), request)).toMatchObject({
      status: 401,
      body: { error: 'unauthorized', message: 'session-ended' },
    });
  });
});

describe('with a session that does not exist', () => {
  test.each(titles(requests.filter((request) => !isPublic(request))))('%s is 401', async (_, request) => {
    const stranger = makeBrowser(api, `session=${'x'.repeat(43)}`);
    expect((await send(stranger, request)).status).toBe(401);
  });
});

describe('as staff', () => {
  test.each(titles(requests.filter(isAdminOnly)))('%s is 403', async (_, request) => {
    expect(await send(staff, request)).toMatchObject({
      status: 403,
      body: { error: 'forbidden', message: 'role-insufficient' },
    });
  });
});

describe('as staff, for the site of others', () => {
  const ofSites = requests.filter(
    (request) => !isAdminOnly(request) && operationOf(request).template.parameters.includes('siteId'),
  );
  test.each(titles(ofSites))('%s is 404, as for one that does not exist', async (_, request) => {
    const others = await api.addSite({ name: 'Fremde' });
    const foreign = { ...request, path: request.path.replace(/\/sites\/\d+/, `/sites/${String(others)}`) };
    const missing = { ...request, path: request.path.replace(/\/sites\/\d+/, '/sites/999999') };
    const [first, second] = [await send(staff, foreign), await send(staff, missing)];
    expect(first.status).toBe(404);
    expect(first.body).toEqual(second.body);
  });
});

describe('from another site', () => {
  const foreign = [
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example' },
  ];
  test.each(titles(requests.filter(isUnsafe)))('%s is 403', async (_, request) => {
    for (const headers of foreign)
      expect(await send(api.admin, request, headers)).toMatchObject({
        status: 403,
        body: { error: 'forbidden', message: 'foreign-origin' },
      });
  });

  test('nothing of it had an effect: the administrator is still signed in', async () => {
    expect((await api.admin.get('/session')).status).toBe(200);
  });
});
