import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { root } from '../support/built.js';
import { exampleRequests } from '../support/exampleRequests.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send, type RequestOptions } from '../support/service.js';
import { until } from '../support/until.js';

const api = withApi();
let folder: TestFolder;
let prism: ChildProcess;
let proxy: string;

/** Prism between client and service: it turns an answer that the contract does not document into an error. */
beforeAll(async () => {
  folder = await makeFolder();
  const contract = join(folder.path, 'openapi.yaml');
  await writeFile(contract, (await api.get('/openapi.yaml')).text);
  const cli = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const options = ['--port', '0', '--errors', '--validate-request', 'false'];
  prism = spawn(process.execPath, [cli, 'proxy', contract, api.url, ...options]);
  let output = '';
  prism.stdout?.on('data', (chunk: Buffer) => void (output += String(chunk)));
  prism.stderr?.on('data', (chunk: Buffer) => void (output += String(chunk)));
  proxy = await until('Prism listens', () => {
    if (prism.exitCode !== null) throw new Error(`Prism ended: ${output}`);
    return /Prism is listening on (http:\S+)/.exec(output)?.[1];
  });
});
afterAll(async () => {
  const gone = once(prism, 'exit');
  prism.kill('SIGTERM');
  await gone;
  await folder.remove();
});

/** Each status that a client with a valid key can bring about, as the contract run provokes it. */
test('Prism’s validation proxy finds every answer as the contract documents it', async () => {
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
