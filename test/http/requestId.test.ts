import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { testCases } from '../support/cases.js';
import { sendRaw } from '../support/rawSocket.js';
import type { Answer } from '../support/service.js';

const api = withApi({ key: { name: 'Geheimname' } });

const idOf = ({ headers }: Answer): unknown => headers['x-request-id'];
const logged = (): Record<string, unknown>[] =>
  api.lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('every answer carries an X-Request-Id of its own', async () => {
  const answers = [
    await api.get('/sites.php', { key: api.key }),
    await api.get('/sites.php', { key: api.key, headers: { 'If-None-Match': '*' } }),
    await api.createVoucher({ site_id: 1, name: 'x' }),
    await api.post('/vouchers.php', {}, { key: api.key }),
    await api.post('/vouchers.php', 'x'.repeat(70_000), { key: api.key }),
    await api.get('/sites.php'),
    await api.request('PUT', '/sites.php', { key: api.key }),
    await api.get('/openapi.php'),
    await api.get('/openapi.php', { headers: { Host: 'not a host' } }),
    await api.request('POST', '/openapi.yaml'),
    await api.get('/nothing'),
    await api.get('/%ff'),
    await api.get('/'),
    await api.get('/healthz'),
    await api.get('/readyz'),
    await api.get('/metrics'),
  ];
  const statuses = [200, 304, 201, 400, 413, 401, 405, 200, 400, 405, 404, 404, 200, 200, 200, 200];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  for (const answer of answers) expect(idOf(answer)).toMatch(/^[\w.:-]{1,64}$/);
  expect(new Set(answers.map(idOf)).size).toBe(answers.length);
});

test('an answer to what is no HTTP carries an X-Request-Id too', async () => {
  expect(await sendRaw(api.url, 'garbage\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: \S+\r\n/i);
});

test('a good X-Request-Id of the client is kept', async () => {
  for (const path of ['/sites.php', '/openapi.php', '/healthz']) {
    const id = `client-1.2:3_${path.length}`;
    expect(idOf(await api.get(path, { key: api.key, headers: { 'X-Request-Id': id } }))).toBe(id);
  }
});

testCases(['', 'a b', 'x'.repeat(65), '<script>', 'ä', '"quoted"'])(
  'any other X-Request-Id of the client is replaced',
  async (id) => {
    const answer = await api.get('/sites.php', { key: api.key, headers: { 'X-Request-Id': id } });
    expect(idOf(answer)).toMatch(/^[\w.:-]{1,64}$/);
    expect(idOf(answer)).not.toBe(id);
  },
);

test('a log line has request id, operationId, status, duration and key prefix', async () => {
  const answer = await api.createVoucher({ site_id: 1, name: 'x' });
  expect(logged().find(({ reqId }) => reqId === idOf(answer))).toMatchObject({
    operation: 'createVoucher',
    status: 201,
    ms: expect.any(Number),
    key: api.key.slice(4, 12),
  });
});

test('a request that fails is logged with its request id and the reason', async () => {
  const site_id = await api.addSite({ fault: 'refuse' });
  const answer = await api.createVoucher({ site_id, name: 'x' });
  const lines = logged().filter(({ reqId }) => reqId === idOf(answer));
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'request failed' }),
      expect.objectContaining({ status: 500 }),
    ]),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      err: expect.objectContaining({ message: 'controller: it said no' }),
    }),
  );
});

test('the log never holds a key, a body or a code', async () => {
  const order = { site_id: 1, name: 'Ein-Gast-Name' };
  const headers = { 'X-API-Key': api.key };
  const { body } = await api.post('/vouchers.php', order, { key: api.key, headers });
  await api.post('/vouchers.php', '{"name":"Ein-Gast-Name', { key: api.key, headers });
  await api.get(`/sites.php?api_key=${api.key}`, { headers: { 'X-API-Key': `${api.key}x` } });
  await api.get(`/vouchers.php?site_id=1&key=${api.key}`, { key: api.key });
  const { code, formatted_code } = body as { code: string; formatted_code: string };
  const log = api.lines.join('');
  for (const secret of [api.key, api.key.slice(12), 'Ein-Gast-Name', code, formatted_code]) {
    expect(log).not.toContain(secret);
  }
});
