import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectOneLine, run } from '../support/cli.js';
import { changedContract, documentedResponses, readContract } from '../support/contract.js';
import { exampleRequests } from '../support/exampleRequests.js';
import { startInForeground, type ForegroundCommand } from '../support/foreground.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { siteIdRequired } from '../support/refusal.js';
import { send, type RequestOptions } from '../support/service.js';
import { adding, findSite } from './developmentService.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());
const settings = () => ({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: `${folder.path}/data` });

const startMock = (argv: string[] = [], values = {}) =>
  startInForeground(['mock', ...argv], { ...settings(), ...values });

describe('voucherd mock', () => {
  let mock: ForegroundCommand;
  beforeAll(async () => {
    mock = await startMock(['--json']);
  });
  afterAll(async () => {
    expect(await mock.end()).toBe(0);
  });
  const requests = exampleRequests();
  const ask = (id: string, options: RequestOptions = {}): ReturnType<typeof send> => {
    const found = requests.find(({ operationId }) => operationId === id);
    if (!found) throw new Error(`there is no operation ${id}`);
    const { method, path, body } = found;
    return send(mock.url, method, path, { ...(body !== undefined && { body }), ...options });
  };

  test('prints its address as JSON, and makes no database', () => {
    expect(mock.out()).toBe(`{"url":"${mock.url}"}\n`);
    expect(existsSync(`${folder.path}/data`)).toBe(false);
  });

  test('no operation needs a key', async () => {
    for (const { operationId, status } of requests) {
      const answer = await ask(operationId);
      expect([operationId, answer.status, answer.headers['x-mock']]).toEqual([operationId, status, 'true']);
    }
  });

  test('a key is accepted, whatever it is', async () => {
    for (const headers of [{ Authorization: 'Bearer none' }, { Authorization: 'Basic eDp5' }])
      expect((await ask('listSites', { headers })).status).toBe(200);
    expect((await ask('listSites', { headers: { 'X-API-Key': 'none' } })).status).toBe(200);
  });

  test('every operation can be asked for each of its statuses with Prefer, and answers as documented', async () => {
    for (const { operationId, status, response } of documentedResponses(readContract())) {
      const answer = await ask(operationId, { headers: { Prefer: `code=${status}` } });
      const example = response.content?.['application/json']?.example;
      expect([operationId, answer.status, example ? answer.body : answer.text]).toEqual([
        operationId,
        Number(status),
        example ?? '',
      ]);
      if (status === '401') expect(answer.headers['www-authenticate']).toBe('Bearer');
      if (status === '429') expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
  });

  test('input is validated as usual', async () => {
    expect(await send(mock.url, 'GET', '/vouchers.php')).toMatchObject(siteIdRequired);
    expect(await send(mock.url, 'POST', '/vouchers.php', { body: {} })).toMatchObject(siteIdRequired);
  });

  test('other methods and other paths are answered as usual', async () => {
    expect((await send(mock.url, 'DELETE', '/vouchers.php')).status).toBe(405);
    expect((await send(mock.url, 'GET', '/nothing.php')).status).toBe(404);
  });

  test('the description is served', async () => {
    for (const path of ['/openapi.php', '/openapi.yaml'])
      expect((await send(mock.url, 'GET', path)).status).toBe(200);
  });
});

test('it tells a person which operations there are, and how to choose', async () => {
  const mock = await startMock([], { BASE_PATH: '/api' });
  expect(await mock.end()).toBe(0);
  expect(mock.out()).toMatch(
    new RegExp(`GET +${mock.url}/api/sites\\.php +listSites: 200 304 401 429 500 503$`, 'm'),
  );
  expect(mock.out()).toContain('Prefer chooses the status: -H "Prefer: code=404"\n');
});

test('it names an example by its name where the contract has names, and that works', async () => {
  const example = 'example: { error: not_found, message: Site nicht gefunden }';
  const named = `examples: { inactive: { value: ${example.slice('example: '.length)} } }`;
  const contract = changedContract([example, named]);
  const mock = await startMock(['--contract', contract.file]);
  contract.remove();
  const [, header = ''] = /-H "Prefer: (example=\w+)"/.exec(mock.out()) ?? [];
  expect(header).toBe('example=inactive');
  const order = { headers: { Prefer: header }, body: { site_id: 1, name: 'Familie Berger' } };
  expect(await send(mock.url, 'POST', '/vouchers.php', order)).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  });
  expect(await mock.end()).toBe(0);
});

test('another contract is mocked with --contract', async () => {
  const contract = changedContract(adding(findSite));
  const mock = await startMock(['--contract', contract.file, '--json']);
  contract.remove();
  expect(await send(mock.url, 'GET', '/site.php?site_id=1')).toMatchObject({ status: 200, body: { id: 1 } });
  expect(await mock.end()).toBe(0);
});

test('--port says where it listens, whatever PORT says', async () => {
  const first = await startMock();
  const taken = new URL(first.url).port;
  const second = await startMock(['--port', '0'], { PORT: taken });
  expect(new URL(second.url).port).not.toBe(taken);
  expect([await first.end(), await second.end()]).toEqual([0, 0]);
  expectOneLine(await run(['mock', '--port', '70000'], settings()), /^voucherd: --port.*65535/);
});

test('a port that can not be used is named as it was given', async () => {
  const first = await startMock();
  const { port } = new URL(first.url);
  const inUse = `"127.0.0.1" port ${port} is in use: another program listens on ${port}`;
  const ended = [
    await run(['mock', '--port', port], settings()),
    await run(['mock'], { ...settings(), PORT: port }),
    await run(['mock', '--port', port], { ...settings(), PORT: 'none' }),
  ];
  expect(await first.end()).toBe(0);
  expect(ended.map(({ err }) => err.split(';')[0])).toEqual([
    `voucherd: --port: ${inUse}`,
    `voucherd: PORT: ${inUse}`,
    `voucherd: --port: ${inUse}`,
  ]);
  expectOneLine(await run(['mock'], { ...settings(), PORT: '99999' }), /^voucherd: PORT: "99999"/);
  expectOneLine(await run(['mock', '--port', '99999'], settings()), /^voucherd: --port: "99999"/);
});

test('a contract that can not be used gives one clear line with the place', async () => {
  const contract = changedContract(['openapi: 3.0.3', 'openapi: 3.2.0']);
  const ended = await run(['mock', '--contract', contract.file], settings());
  contract.remove();
  expectOneLine(ended, /^voucherd: .*openapi\.yaml:\d+:\d+: openapi must be a version 3\.0 or 3\.1/);
});

test('--mock-missing is refused in production', async () => {
  const ended = await run(['serve', '--mock-missing'], { ...settings(), NODE_ENV: 'production' });
  expectOneLine(ended, 'voucherd: --mock-missing is for development: NODE_ENV is production\n');
});
