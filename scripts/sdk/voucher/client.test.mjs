/* global AbortController, performance */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ApiError, createVoucherClient } from '../dist/index.js';

let server;
let seen;
let answers;
let client;

const json = (status, body, headers = {}) => ({ status, body: JSON.stringify(body), headers });
const connect = (options = {}) =>
  createVoucherClient({
    baseUrl: `http://127.0.0.1:${server.address().port}/api`,
    auth: 'uvt_key',
    retry: { firstWaitMs: 1 },
    ...options,
  });
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
      if (answer === 'silence') return undefined;
      if (!answer) return req.socket.destroy();
      res.writeHead(answer.status, { 'Content-Type': 'application/json; charset=utf-8', ...answer.headers });
      res.end(answer.body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect();
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
  assert.equal(seen[0].headers['x-api-key'], undefined);
});

test('the vouchers of a site are listed', async () => {
  answers = [json(200, { vouchers: [] })];
  assert.deepEqual(await client.listVouchers({ query: { site_id: 7 } }), { vouchers: [] });
  assert.equal(seen[0].url, '/api/vouchers.php?site_id=7');
});

test('each create has an idempotency key of its own, which its repetitions keep', async () => {
  answers = [json(500, { error: 'server_error', message: 'x' }), json(201, created), json(201, created)];
  assert.deepEqual(await client.createVoucher({ body: { site_id: 1, name: 'Gast' } }), created);
  await client.createVoucher({ body: { site_id: 1, name: 'Gast' } });
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[0], keys[2]);
  assert.match(keys[0], /^[\x21-\x7e]{1,255}$/);
  assert.deepEqual(JSON.parse(seen[1].body), { site_id: 1, name: 'Gast' });
});

test('an idempotency key that the caller has chosen is sent', async () => {
  answers = [json(201, created)];
  await client.createVoucher({
    body: { site_id: 1, name: 'Gast' },
    headers: { 'Idempotency-Key': 'booking-8812' },
  });
  assert.equal(seen[0].headers['idempotency-key'], 'booking-8812');
});

test('a broken connection is tried again', async () => {
  answers = [undefined, json(201, created)];
  assert.deepEqual(await client.createVoucher({ body: { site_id: 1, name: 'Gast' } }), created);
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
    assert.ok(error instanceof ApiError);
    assert.equal(error.retryAfter, 3600);
    return true;
  });
  assert.equal(seen.length, 1);
});

test('an error has its status, its code, its text and the id of the request', async () => {
  answers = [json(404, { error: 'not_found', message: 'Site nicht gefunden' }, { 'X-Request-Id': 'abc-1' })];
  await assert.rejects(client.createVoucher({ body: { site_id: 9, name: 'Gast' } }), (error) => {
    assert.ok(error instanceof ApiError);
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
  while (seen.length === 0) await setTimeout(5);
  abort.abort();
  await assert.rejects(listed, { name: 'AbortError' });
});

test('the key can be sent as X-API-Key', async () => {
  answers = [json(200, { sites: [] })];
  await connect({ auth: { apiKeyAuth: () => Promise.resolve('uvt_other') } }).listSites();
  assert.equal(seen[0].headers['x-api-key'], 'uvt_other');
  assert.equal(seen[0].headers.authorization, undefined);
});

test('an order that is still in progress is asked for again, another conflict is not', async () => {
  const conflict = { error: 'idempotency_in_progress', message: 'x' };
  answers = [json(409, conflict, { 'Retry-After': '0' }), json(201, created), json(409, conflict)];
  assert.deepEqual(await client.createVoucher({ body: { site_id: 1, name: 'Gast' } }), created);
  await assert.rejects(client.createVoucher({ body: { site_id: 1, name: 'Gast' } }), { status: 409 });
  assert.equal(seen.length, 3);
});

test('retries end at their limit, with the last answer', async () => {
  const failure = json(500, { error: 'server_error', message: 'x' });
  answers = [failure, failure, failure, failure, json(200, { sites: [] })];
  await assert.rejects(client.listSites(), { status: 500, code: 'server_error' });
  assert.equal(seen.length, 4);
});

test('no answer within the timeout is an error, and tried again', async () => {
  answers = ['silence', json(200, { sites: [] })];
  const hasty = connect({ retry: { firstWaitMs: 1, timeoutMs: 3_000 } });
  assert.deepEqual(await hasty.listSites(), { sites: [] });
  answers = ['silence'];
  await assert.rejects(connect({ retry: { limit: 0, timeoutMs: 300 } }).listSites(), {
    name: 'TimeoutError',
  });
});

test('Retry-After may be a date', async () => {
  const date = new Date(Date.now() + 7_200_000).toUTCString();
  answers = [json(503, { error: 'unavailable', message: 'x' }, { 'Retry-After': date })];
  await assert.rejects(client.listSites(), ({ retryAfter }) => retryAfter > 7_000 && retryAfter <= 7_200);
});

test('status and headers are told beside the body', async () => {
  answers = [json(200, { sites: [] }, { ETag: '"a"' })];
  const { data, response } = await client.withResponse((one) => one.listSites());
  assert.deepEqual([data, response.status, response.headers.get('ETag')], [{ sites: [] }, 200, '"a"']);
});

test('problem details are errors, too, and so is an answer that is no JSON', async () => {
  const problem = { type: 'https://example.org/full', title: 'Full', detail: 'No room left' };
  answers = [json(400, problem, { 'Content-Type': 'application/problem+json' })];
  await assert.rejects(client.listSites(), { code: 'https://example.org/full', message: 'No room left' });
  answers = [{ status: 404, body: '<h1>Not here</h1>', headers: { 'Content-Type': 'text/html' } }];
  await assert.rejects(client.listSites(), { code: 'unknown', body: '<h1>Not here</h1>', status: 404 });
});
