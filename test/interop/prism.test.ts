import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answeredComplaints, expectAnswered } from '../support/answeredComplaints.js';
import { withApi } from '../support/api.js';
import { exampleRequests } from '../support/exampleRequests.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send, type RequestOptions } from '../support/service.js';
import { until } from '../support/until.js';
import { toolFile } from './tool.js';

const api = withApi();
let folder: TestFolder;
let contract: string;
const running: ChildProcess[] = [];

const startPrism = async (command: readonly string[], ...options: string[]): Promise<string> => {
  const cli = toolFile('@stoplight/prism-cli/dist/index.js');
  const prism = spawn(process.execPath, [cli, ...command, '--port', '0', '--errors', ...options]);
  running.push(prism);
  let output = '';
  prism.stdout.on('data', (chunk: Buffer) => void (output += String(chunk)));
  prism.stderr.on('data', (chunk: Buffer) => void (output += String(chunk)));
  return until('Prism listens', () => {
    if (prism.exitCode !== null) throw new Error(`Prism ended: ${output}`);
    return /Prism is listening on (http:\S+)/.exec(output)?.[1];
  });
};

beforeAll(async () => {
  folder = await makeFolder();
  contract = join(folder.path, 'openapi.yaml');
  await writeFile(contract, (await api.get('/openapi.yaml')).text);
});
afterAll(async () => {
  for (const prism of running) {
    const gone = once(prism, 'exit');
    prism.kill('SIGTERM');
    await gone;
  }
  await folder.remove();
});

/** Each status that a client with a valid key can bring about, as the contract run provokes it. */
test('Prism’s validation proxy finds every answer as the contract documents it', async () => {
  // It turns an answer that the contract does not document into an error.
  const proxy = await startPrism(['proxy', contract, api.url], '--validate-request', 'false');
  const { key, siteId: site } = api;
  const [reader, limited] = [await api.addKey({ scope: 'read' }), await api.addKey({ rateLimit: 1 })];
  const sites = {
    refusing: await api.addSite({ name: 'Ablehnend', fault: 'refuse' }),
    empty: await api.addSite({ name: 'Leer', fault: 'no-voucher' }),
  };
  await api.get('/sites.php', { key: limited });
  const order = (values: object, headers: Record<string, string> = {}): RequestOptions => ({
    key,
    body: values,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const name = 'Über Prism';
  const idempotent = { 'Idempotency-Key': 'prism-1' };
  const requests: [number, string, string, RequestOptions][] = [
    [200, 'GET', '/sites.php', { key }],
    [200, 'GET', `/vouchers.php?site_id=${site}`, { key: reader }],
    [400, 'GET', '/vouchers.php?site_id=0', { key }],
    [201, 'POST', '/vouchers.php', order({ site_id: site, name })],
    [201, 'POST', '/vouchers.php', order({ site_id: site, name }, idempotent)],
    [201, 'POST', '/vouchers.php', order({ site_id: site, name }, idempotent)],
    [422, 'POST', '/vouchers.php', order({ site_id: site, name: 'Anders' }, idempotent)],
    [400, 'POST', '/vouchers.php', order({ site_id: site })],
    [401, 'GET', '/sites.php', { key: 'uvt_falsch' }],
    [403, 'POST', '/vouchers.php', { ...order({ site_id: site, name }), key: reader }],
    [404, 'POST', '/vouchers.php', order({ site_id: 4711, name })],
    [429, 'GET', '/sites.php', { key: limited }],
    [500, 'POST', '/vouchers.php', order({ site_id: sites.refusing, name })],
    [502, 'POST', '/vouchers.php', order({ site_id: sites.empty, name })],
  ];
  for (const { status, method, path, body } of exampleRequests())
    requests.push([status, method, path, body === undefined ? { key } : { ...order(body as object), key }]);
  for (const [status, method, path, options] of requests) {
    const answer = await send(proxy, method, path, options);
    expect({ path, status: answer.status, text: answer.text }).toMatchObject({
      status,
      text: expect.not.stringContaining('stoplight.io'),
    });
    expect(answer.headers).not.toHaveProperty('sl-violations');
  }
});

test('Prism’s proxy refuses no request that the service takes but those that docs/other-tools.md answers', async () => {
  const { key, siteId: site } = api;
  const proxy = await startPrism(['proxy', contract, api.url]);
  const json = { 'Content-Type': 'application/json' };
  const order = (body: object, headers: Record<string, string> = json): [string, string, RequestOptions] => [
    'POST',
    '/vouchers.php',
    { key, body, headers },
  ];
  const name = 'Über Prism';
  const requests: [string, string, RequestOptions][] = [
    ['GET', '/sites.php', { headers: { 'X-API-Key': key, 'If-None-Match': '"x"' } }],
    ['GET', `/vouchers.php?site_id=${site}&other=1`, { key }],
    ['GET', `/vouchers.php?site_id=${site}.5`, { key }],
    order({ site_id: site, name, other: 1 }),
    order({ site_id: site, name }, { ...json, 'Idempotency-Key': 'prism-2' }),
    order({ site_id: String(site), name }),
    order({ site_id: site, name: 7 }),
    order({ site_id: site, name, max_uses: 0 }),
    order({ site_id: site, name }, { 'Content-Type': 'application/x-www-form-urlencoded' }),
  ];
  const complaints = new Set<string>();
  for (const [method, path, options] of requests) {
    const direct = await api.request(method, path, options);
    expect({ path, status: direct.status }).toEqual({ path, status: method === 'POST' ? 201 : 200 });
    const { status, body } = await send(proxy, method, path, options);
    const { validation = [] } = (status === 422 ? body : {}) as { validation?: { message: string }[] };
    // The first answer to the same Idempotency-Key again is a 201, too.
    if (validation.length === 0) expect({ path, status }).toEqual({ path, status: direct.status });
    for (const { message } of validation) complaints.add(message);
  }
  expectAnswered([...complaints], answeredComplaints('Prism'));
});

test('Prism’s mock serves every operation, and prefers another status for an invalid order than the service', async () => {
  const { key } = api;
  const mock = await startPrism(['mock', contract]);
  for (const { status, method, path, body } of exampleRequests()) {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await send(mock, method, path, body === undefined ? { key } : { key, body, headers });
    expect({ path, status: answer.status }).toEqual({ path, status });
    expect(answer.headers).not.toHaveProperty('sl-violations');
    expect(answer.headers['idempotency-replayed']).toBe(method === 'POST' ? 'true' : undefined);
  }
  const headers = { 'Content-Type': 'application/json' };
  const invalid = { key, headers, body: { site_id: 0, name: '' } };
  expect((await send(mock, 'POST', '/vouchers.php', invalid)).body).toMatchObject({
    error: 'idempotency_mismatch',
  });
  expect((await api.request('POST', '/vouchers.php', invalid)).status).toBe(400);
});
