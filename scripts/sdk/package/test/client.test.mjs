/* global AbortController, performance */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { createVoucherClient, VoucherApiError } from '../dist/index.js';

let server;
let seen;
let answers;
let client;

const json = (status, body, headers = {}) => ({ status, body: JSON.stringify(body), headers });
const created = {
  success: true,
  code: '4470344703',
  formatted_code: '44703-44703',
  site: 'Hauptgebäude',
  max_uses: 1,
  expire_minutes: 480,
};

before(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk) => (body += chunk));
    req.on('end', () => {
      seen.push({ method: req.method, url: req.url, headers: req.headers, body });
      const answer = answers.shift();
      if (!answer) return req.socket.destroy();
      res.writeHead(answer.status, { 'Content-Type': 'application/json; charset=utf-8', ...answer.headers });
      res.end(answer.body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = createVoucherClient({
    baseUrl: `http://127.0.0.1:${server.address().port}/api`,
    apiKey: 'uvt_key',
    retry: { firstWaitMs: 1 },
  });
});
beforeEach(() => {
  seen = [];
  answers = [];
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test('sites are listed with the key', async () => {
  answers = [json(200, { sites: [{ id: 1, name: 'Hauptgebäude' }] })];
  assert.deepEqual(await client.listSites(), { sites: [{ id: 1, name: 'Hauptgebäude' }] });
  assert.equal(seen[0].url, '/api/sites.php');
  assert.equal(seen[0].headers.authorization, 'Bearer uvt_key');
});

test('the vouchers of a site are listed', async () => {
  answers = [json(200, { vouchers: [] })];
  assert.deepEqual(await client.listVouchers({ site_id: 7 }), { vouchers: [] });
  assert.equal(seen[0].url, '/api/vouchers.php?site_id=7');
});

test('each create has an idempotency key of its own, which its repetitions keep', async () => {
  answers = [json(500, { error: 'server_error', message: 'x' }), json(201, created), json(201, created)];
  assert.deepEqual(await client.createVoucher({ site_id: 1, name: 'Gast' }), created);
  await client.createVoucher({ site_id: 1, name: 'Gast' });
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[0], keys[2]);
  assert.match(keys[0], /^[\x21-\x7e]{1,255}$/);
  assert.deepEqual(JSON.parse(seen[1].body), { site_id: 1, name: 'Gast' });
});

test('an idempotency key that the caller has chosen is sent', async () => {
  answers = [json(201, created)];
  await client.createVoucher({ site_id: 1, name: 'Gast' }, { idempotencyKey: 'booking-8812' });
  assert.equal(seen[0].headers['idempotency-key'], 'booking-8812');
});

test('a broken connection is tried again', async () => {
  answers = [undefined, json(201, created)];
  assert.deepEqual(await client.createVoucher({ site_id: 1, name: 'Gast' }), created);
  assert.equal(seen.length, 2);
});

test('Retry-After is honoured', async () => {
  answers = [
    json(429, { error: 'rate_limited', message: 'x' }, { 'Retry-After': '1' }),
    json(200, { sites: [] }),
  ];
  const started = performance.now();
  await client.listSites();
  assert.ok(performance.now() - started >= 990);
});

test('a wait that is too long is the caller’s to decide', async () => {
  answers = [json(429, { error: 'rate_limited', message: 'Zu viele' }, { 'Retry-After': '3600' })];
  await assert.rejects(client.listSites(), (error) => {
    assert.ok(error instanceof VoucherApiError);
    assert.equal(error.retryAfter, 3600);
    return true;
  });
  assert.equal(seen.length, 1);
});

test('an error has its status, its code, its text and the id of the request', async () => {
  answers = [json(404, { error: 'not_found', message: 'Site nicht gefunden' }, { 'X-Request-Id': 'abc-1' })];
  await assert.rejects(client.createVoucher({ site_id: 9, name: 'Gast' }), (error) => {
    assert.ok(error instanceof VoucherApiError);
    assert.deepEqual(
      [error.status, error.code, error.message, error.requestId],
      [404, 'not_found', 'Site nicht gefunden', 'abc-1'],
    );
    return true;
  });
  assert.equal(seen.length, 1);
});

test('a caller that gives up waits no longer', async () => {
  answers = [json(429, { error: 'rate_limited', message: 'x' }, { 'Retry-After': '50' })];
  const abort = new AbortController();
  const listed = client.listSites({ signal: abort.signal });
  setTimeout(() => abort.abort(), 20);
  await assert.rejects(listed, { name: 'AbortError' });
});
