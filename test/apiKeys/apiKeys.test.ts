import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { nodeSystem } from '../../src/lib/system.js';
import { withApi } from '../support/api.js';
import { testCases } from '../support/cases.js';
import { someKey } from '../support/records.js';
import { unauthorized } from '../support/refusal.js';
import type { Answer } from '../support/service.js';
import { rowsOf } from '../support/serviceInternals.js';

const api = withApi({ key: { scope: 'read' } });

const list = (headers: Record<string, string>): Promise<Answer> => api.get('/sites.php', { headers });
const statusOf = async (headers: Record<string, string>): Promise<number> => (await list(headers)).status;

test('a key is uvt_, 8 lowercase hex characters (the prefix) and 32 more: 44 characters [key-format]', () => {
  const made = generateApiKey(nodeSystem);
  expect(made.key).toMatch(/^uvt_[0-9a-f]{40}$/);
  expect(made.key).toHaveLength(44);
  expect(made.key.slice(4, 12)).toBe(made.prefix);
  expect(made.hash).toBe(createHash('sha256').update(made.key).digest('hex'));
});

test('keys are drawn anew each time', () => {
  const keys = Array.from({ length: 100 }, () => generateApiKey(nodeSystem));
  expect(new Set(keys.map((made) => made.prefix)).size).toBeGreaterThan(95);
  expect(new Set(keys.map((made) => made.key.slice(12))).size).toBe(100);
});

test('stored are the prefix and the SHA-256 of the whole key, and nothing else of it [key-stored-hashed]', async () => {
  const [row] = await rowsOf(api, 'api_keys');
  expect(row).toMatchObject({
    prefix: api.key.slice(4, 12),
    hash: createHash('sha256').update(api.key).digest('hex'),
  });
  const files = readdirSync(api.dataDir).map((file) => readFileSync(join(api.dataDir, file)));
  const holds = (text: string): boolean => files.some((bytes) => bytes.includes(text));
  expect(holds(api.key.slice(4, 12))).toBe(true);
  expect(holds(api.key)).toBe(false);
  expect(holds(api.key.slice(12))).toBe(false);
  expect(holds(api.key.slice(12, 20))).toBe(false);
});

test('a key that was used is not kept in memory', async () => {
  // A process of its own, whose heap holds nothing of the test. The key is written down outside of the heap.
  const script = `
    import { createHash, randomBytes } from 'node:crypto';
    import { getHeapSnapshot } from 'node:v8';
    import { buffer } from 'node:stream/consumers';
    import { makeApiKeyCache } from './dist/src/apiKeys/apiKeys.js';
    const written = Buffer.from('uvt_' + randomBytes(20).toString('hex'));
    const marker = Buffer.from('mark_' + randomBytes(20).toString('hex'));
    globalThis.kept = new Map([[marker.toString('latin1'), 1]]);
    const row = {
      id: 1, name: 'x', prefix: written.toString('latin1', 4, 12), scope: 'read', rateLimit: 0,
      hash: createHash('sha256').update(written).digest('hex'), expiresAt: null, lastUsedAt: null,
    };
    const cache = makeApiKeyCache({
      table: { usable: async () => [row], noteUse: async () => undefined },
      revisions: { current: async () => 1, latest: async () => 1 },
      system: { now: () => Date.now() },
      log: console,
    });
    await cache.load();
    const use = async () => (await cache.find(written.toString('latin1')))?.name;
    const found = [await use(), await use()];
    // V8 keeps the last text that a pattern was tried on.
    /./.exec('other');
    const heap = await buffer(getHeapSnapshot());
    globalThis.cache = cache;
    process.stdout.write(JSON.stringify({ found, marker: heap.includes(marker), key: heap.includes(written) }));
  `;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect(JSON.parse(stdout)).toEqual({ found: ['x', 'x'], marker: true, key: false });
});

test('two keys may share a prefix: every candidate is compared [key-prefix-shared]', async () => {
  const twin = () =>
    generateApiKey({
      ...nodeSystem,
      randomBytes: (size) => (size === 4 ? Buffer.from('cafe') : randomBytes(size)),
    });
  const [one, other, unknown] = [twin(), twin(), twin()];
  for (const [{ prefix, hash }, scope] of [
    [one, 'read'],
    [other, 'write'],
  ] as const) {
    await api.tables.apiKeys.add(someKey({ prefix, hash, scope, rateLimit: 0 }));
  }
  expect(one.prefix).toBe(other.prefix);
  const create = async (twinKey: string): Promise<number> =>
    (await api.post('/vouchers.php', {}, { key: twinKey })).status;
  expect(await create(one.key)).toBe(403);
  expect(await create(other.key)).toBe(400);
  expect(await create(unknown.key)).toBe(401);
});

testCases(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
  'the key may stand in Authorization: Bearer <key>; the scheme is case-insensitive [key-bearer]',
  async (scheme) => {
    expect(await statusOf({ Authorization: `${scheme} ${api.key}` })).toBe(200);
  },
);

test('the key may stand in X-API-Key [key-header]', async () => {
  expect(await statusOf({ 'X-API-Key': api.key })).toBe(200);
  expect(await statusOf({ 'x-api-key': api.key })).toBe(200);
});

test('if both are sent, either one being valid is enough [key-both-one-valid]', async () => {
  const unknown = generateApiKey(nodeSystem).key;
  expect(await statusOf({ Authorization: `Bearer ${api.key}`, 'X-API-Key': unknown })).toBe(200);
  expect(await statusOf({ Authorization: `Bearer ${unknown}`, 'X-API-Key': api.key })).toBe(200);
  expect(await statusOf({ Authorization: 'Basic eDp5', 'X-API-Key': api.key })).toBe(200);
  expect(await statusOf({ Authorization: `Bearer ${unknown}`, 'X-API-Key': unknown })).toBe(401);
});

test('if both are sent, one with the scope that is needed is enough [key-both-one-sufficient]', async () => {
  const [reading, writing] = [api.key, await api.addKey()];
  const order = { site_id: await api.addSite(), name: 'Familie Berger' };
  for (const [bearer, header] of [
    [reading, writing],
    [writing, reading],
  ] as const) {
    const headers = { 'X-API-Key': header };
    expect((await api.post('/vouchers.php', order, { key: bearer, headers })).status).toBe(201);
  }
  const headers = { 'X-API-Key': await api.addKey({ scope: 'read' }) };
  expect((await api.post('/vouchers.php', order, { key: reading, headers })).status).toBe(403);
});

test('if both are valid, the limit of the one that is used counts, or else of the first [key-both-counted]', async () => {
  const limited = (scope: 'read' | 'write', rateLimit: number) => api.addKey({ scope, rateLimit });
  const [reading, other, writing] = [
    await limited('read', 10),
    await limited('read', 20),
    await limited('write', 30),
  ];
  const limitOf = async (bearer: string, header: string, method = 'POST') => {
    const answer = await api.request(method, '/vouchers.php', {
      key: bearer,
      headers: { 'X-API-Key': header },
    });
    return [answer.status, answer.headers['ratelimit-limit'], answer.headers['ratelimit-remaining']];
  };
  expect(await limitOf(reading, writing)).toEqual([400, '30', '29']);
  expect(await limitOf(writing, reading)).toEqual([400, '30', '28']);
  expect(await limitOf(reading, other)).toEqual([403, '10', '9']);
  expect(await limitOf(other, reading)).toEqual([403, '20', '19']);
  expect(await limitOf(reading, writing, 'GET')).toEqual([400, '10', '8']);
  expect(await limitOf(reading, writing, 'PUT')).toEqual([405, '10', '7']);
});

test('if both are sent, either one being valid is enough for a method that is not allowed, too', async () => {
  const headers = { Authorization: `Bearer ${generateApiKey(nodeSystem).key}`, 'X-API-Key': api.key };
  expect((await api.request('PUT', '/sites.php', { headers })).status).toBe(405);
});

test('if both are sent and valid, the request is counted once', async () => {
  const limited = await api.addKey({ rateLimit: 10 });
  const { headers } = await list({ Authorization: `Bearer ${limited}`, 'X-API-Key': limited });
  expect(headers['ratelimit-remaining']).toBe('9');
});

testCases(['api_key', 'apikey', 'key', 'token', 'access_token', 'X-API-Key', 'Authorization'])(
  'the key never stands in the query string [key-never-in-query]',
  async (name) => {
    const value = name === 'Authorization' ? `Bearer%20${api.key}` : api.key;
    expect(await api.get(`/sites.php?${name}=${value}`)).toMatchObject(unauthorized);
  },
);

test('the key is not read from a body or a cookie', async () => {
  const body = { api_key: api.key, key: api.key, site_id: 1, name: 'x' };
  const headers = { Cookie: `api_key=${api.key}; X-API-Key=${api.key}` };
  expect(await api.post('/vouchers.php', body, { headers })).toMatchObject(unauthorized);
});

test('write includes read; read does not include write [key-write-includes-read key-scope-read]', async () => {
  const writing = await api.addKey({ scope: 'write' });
  expect((await api.get('/vouchers.php?site_id=1', { key: writing })).status).toBe(200);
  expect((await api.post('/vouchers.php', {}, { key: api.key })).status).toBe(403);
});
