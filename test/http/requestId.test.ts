import { beforeAll, expect, test } from '@jest/globals';
import { sendRaw } from '../support/rawSocket.js';
import { withService, type Answer } from '../support/service.js';

const service = withService();
let key: string;

beforeAll(async () => {
  key = await service.addKey({ name: 'Geheimname' });
  await service.addSite();
});

const idOf = ({ headers }: Answer): unknown => headers['x-request-id'];
const logged = (): Record<string, unknown>[] =>
  service.lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('every answer carries an X-Request-Id of its own', async () => {
  const answers = [
    await service.get('/sites.php', { key }),
    await service.get('/sites.php', { key, headers: { 'If-None-Match': '*' } }),
    await service.post('/vouchers.php', { site_id: 1, name: 'x' }, { key }),
    await service.post('/vouchers.php', {}, { key }),
    await service.post('/vouchers.php', 'x'.repeat(70_000), { key }),
    await service.get('/sites.php'),
    await service.request('PUT', '/sites.php', { key }),
    await service.get('/openapi.php'),
    await service.get('/openapi.php', { headers: { Host: 'not a host' } }),
    await service.request('POST', '/openapi.yaml'),
    await service.get('/nothing'),
    await service.get('/%ff'),
    await service.get('/'),
    await service.get('/healthz'),
    await service.get('/readyz'),
    await service.get('/metrics'),
  ];
  const statuses = [200, 304, 201, 400, 413, 401, 405, 200, 400, 405, 404, 404, 200, 200, 200, 200];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  for (const answer of answers) expect(idOf(answer)).toMatch(/^[\w.:-]{1,64}$/);
  expect(new Set(answers.map(idOf)).size).toBe(answers.length);
});

test('an answer to what is no HTTP carries an X-Request-Id too', async () => {
  expect(await sendRaw(service.url, 'garbage\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: \S+\r\n/i,
  );
});

test('a good X-Request-Id of the client is kept', async () => {
  for (const path of ['/sites.php', '/openapi.php', '/healthz']) {
    const id = `client-1.2:3_${path.length}`;
    expect(idOf(await service.get(path, { key, headers: { 'X-Request-Id': id } }))).toBe(id);
  }
});

test.each(['', 'a b', 'x'.repeat(65), '<script>', 'ä', '"quoted"'])(
  'any other X-Request-Id of the client is replaced: %p',
  async (id) => {
    const answer = await service.get('/sites.php', { key, headers: { 'X-Request-Id': id } });
    expect(idOf(answer)).toMatch(/^[\w.:-]{1,64}$/);
    expect(idOf(answer)).not.toBe(id);
  },
);

test('a log line has request id, operationId, status, duration and key prefix', async () => {
  const answer = await service.post('/vouchers.php', { site_id: 1, name: 'x' }, { key });
  expect(logged().find(({ reqId }) => reqId === idOf(answer))).toMatchObject({
    operation: 'createVoucher',
    status: 201,
    ms: expect.any(Number),
    key: key.slice(4, 12),
  });
});

test('a request that fails is logged with its request id and the reason', async () => {
  const site_id = await service.addSite({ fault: 'refuse' });
  const answer = await service.post('/vouchers.php', { site_id, name: 'x' }, { key });
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
  const headers = { 'X-API-Key': key };
  const { body } = await service.post('/vouchers.php', order, { key, headers });
  await service.post('/vouchers.php', '{"name":"Ein-Gast-Name', { key, headers });
  await service.get(`/sites.php?api_key=${key}`, { headers: { 'X-API-Key': `${key}x` } });
  await service.get(`/vouchers.php?site_id=1&key=${key}`, { key });
  const { code, formatted_code } = body as { code: string; formatted_code: string };
  const log = service.lines.join('');
  for (const secret of [key, key.slice(12), 'Ein-Gast-Name', code, formatted_code]) {
    expect(log).not.toContain(secret);
  }
});
