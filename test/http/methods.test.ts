import { describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { testCases } from '../support/cases.js';
import { exchange, openRaw } from '../support/rawSocket.js';
import { unauthorized } from '../support/refusal.js';

const notAllowed = { status: 405, text: '{"error":"method_not_allowed"}' };
const others = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];

const api = withApi({ key: { rateLimit: 1000 } });

test.each([
  ['/sites.php', 'GET', [...others, 'POST']],
  ['/vouchers.php', 'GET, POST', others],
])(
  'any other method on %s gives 405 {"error":"method_not_allowed"}, without a message, with Allow: %s [method-405 method-405-head-options]',
  async (path, allow, methods) => {
    for (const method of methods) {
      const answer = await api.request(method, path, { key: api.key });
      expect(answer).toMatchObject(notAllowed);
      expect(answer.headers.allow).toBe(allow);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  },
);

test.each(['/sites.php', '/vouchers.php'])('HEAD %s is 405 too [method-405-head-options]', async (path) => {
  const { status, headers, text } = await api.request('HEAD', path, { key: api.key });
  expect({ status, text }).toEqual({ status: 405, text: '' });
  expect(headers.allow).toContain('GET');
});

test('the description is there for GET and HEAD alone [method-description]', async () => {
  for (const path of ['/openapi.php', '/openapi.yaml']) {
    const [read, head] = [await api.get(path), await api.request('HEAD', path)];
    expect([read.status, head.status, head.text]).toEqual([200, 200, '']);
    expect(head.headers['content-length']).toBe(String(read.bytes.length));
    for (const method of [...others, 'POST']) {
      const answer = await api.request(method, path);
      expect(answer).toMatchObject(notAllowed);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
  }
});

test('the key (401) comes before the method (405) [check-key-first]', async () => {
  for (const method of ['PUT', 'OPTIONS']) {
    expect(await api.request(method, '/vouchers.php')).toMatchObject(unauthorized);
  }
});

test('the limit (429) comes before the method (405) [check-limit-second]', async () => {
  const tight = await api.addKey({ rateLimit: 1 });
  expect(await api.request('PUT', '/vouchers.php', { key: tight })).toMatchObject(notAllowed);
  expect((await api.request('PUT', '/vouchers.php', { key: tight })).status).toBe(429);
});

test('the method (405) comes before the scope (403) [check-method-third]', async () => {
  const reading = await api.addKey({ scope: 'read' });
  expect(await api.request('DELETE', '/vouchers.php', { key: reading })).toMatchObject(notAllowed);
});

test('the limit (429) comes before the scope (403), and the scope before validation (400) [check-limit-second check-scope-fourth]', async () => {
  const reading = await api.addKey({ scope: 'read', rateLimit: 1 });
  expect((await api.post('/vouchers.php', {}, { key: reading })).status).toBe(403);
  expect((await api.post('/vouchers.php', {}, { key: reading })).status).toBe(429);
});

test('the key (401) comes before validation (400) [check-key-first]', async () => {
  expect(await api.get('/vouchers.php')).toMatchObject(unauthorized);
  expect(await api.post('/vouchers.php', '{')).toMatchObject(unauthorized);
});

test('a 405 answer was counted by the limiter, and carries the headers of the limit [check-refusals-counted limit-headers]', async () => {
  const before = await api.get('/sites.php', { key: api.key });
  const { headers } = await api.request('PUT', '/sites.php', { key: api.key });
  expect(Number(headers['ratelimit-remaining'])).toBe(Number(before.headers['ratelimit-remaining']) - 1);
});

/** What an HTTP client library would not send. */
const ask = (method: string, target: string, ...headers: string[]): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

describe('a method that the parser does not know', () => {
  const unknown = ['FOO', 'get', 'Post', 'GETX', 'MAKE', 'DESCRIBE', "X-#$%&'*+.^_`|~1"];

  test.each(unknown)(
    '%s is 405 with Allow, without a look at the key [method-405-unknown method-description]',
    async (method) => {
      for (const [target, allow] of [
        ['/vouchers.php', 'GET, POST'],
        ['/vouchers.php?site_id=1', 'GET, POST'],
        ['//vouchers.php', 'GET, POST'],
        ['http://localhost/sites.php', 'GET'],
        ['/openapi.php', 'GET, HEAD'],
      ] as const) {
        const [answer] = await exchange(api.url, ask(method, target));
        expect(answer).toMatchObject({ status: 405, body: notAllowed.text });
        expect(answer?.head).toMatch(new RegExp(`^Allow: ${allow}$`, 'm'));
        expect(answer?.head).toMatch(/^Content-Type: application\/json; charset=utf-8$/m);
        expect(answer?.head).toMatch(/^X-Request-Id: \S+$/m);
      }
    },
  );

  testCases(['/nothing', '/', '/healthz', '*'])('is 404 elsewhere', async (target) => {
    const [answer] = await exchange(api.url, ask('FOO', target));
    expect(answer).toMatchObject({ status: 404 });
    expect(JSON.parse(answer?.body ?? '')).toEqual({ error: 'not_found', message: expect.any(String) });
  });

  test('is answered after the requests before it on its connection, which then ends', async () => {
    const connection = await openRaw(api.url);
    const good = ask('GET', '/sites.php', `X-API-Key: ${api.key}`);
    connection.write(good + good + ask('FOO', '/vouchers.php') + good);
    expect((await connection.closed()).map(({ status }) => status)).toEqual([200, 200, 405]);
  });

  test('is counted and logged as a wrong method', async () => {
    const [answer] = await exchange(api.url, ask('FOO', '/vouchers.php'));
    const id = /^X-Request-Id: (\S+)$/m.exec(answer?.head ?? '')?.[1];
    const line = api.lines.find((text) => text.includes(String(id)));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ operation: 'none', method: 'FOO', status: 405 });
  });

  testCases([
    ['a request line that is none', 'FOO /vouchers.php\r\n\r\n'],
    ['another version of HTTP', 'FOO /vouchers.php HTTP/3.0\r\n\r\n'],
    ['a method that is no token', 'F(O /vouchers.php HTTP/1.1\r\n\r\n'],
    ['a header that is none', 'PUT /vouchers.php HTTP/1.1\r\nHost localhost\r\n\r\n'],
  ])('is not what is wrong with what is no HTTP: 400', async (_name, text) => {
    const [answer] = await exchange(api.url, text);
    expect(answer?.status).toBe(400);
  });
});

describe('PRI, with which HTTP/2 begins', () => {
  test.each([
    ['/vouchers.php', 'GET, POST'],
    ['/sites.php', 'GET'],
  ])('is 405 like any unknown method: %s [method-405-http2-preface]', async (target, allow) => {
    const good = ask('GET', '/sites.php', `X-API-Key: ${api.key}`);
    for (const before of ['', good, good + good]) {
      const answers = await exchange(api.url, before + ask('PRI', target));
      expect(answers.at(-1)).toMatchObject({ status: 405, body: notAllowed.text });
      expect(answers.at(-1)?.head).toMatch(new RegExp(`^Allow: ${allow}$`, 'm'));
    }
  });

  test('is 404 elsewhere, and its whole preface is no HTTP/1', async () => {
    const [[elsewhere], [preface]] = [
      await exchange(api.url, ask('PRI', '/nothing')),
      await exchange(api.url, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    ];
    expect([elsewhere?.status, preface?.status]).toEqual([404, 400]);
  });
});

describe('CONNECT', () => {
  test.each(['/sites.php', '/vouchers.php'])(
    '%s is 405, after the key [method-405-connect]',
    async (path) => {
      const [answer] = await exchange(api.url, ask('CONNECT', path, `X-API-Key: ${api.key}`));
      expect(answer).toMatchObject({ status: 405, body: notAllowed.text });
      expect(answer?.head).toMatch(/^Allow: GET/m);
      const [nobody] = await exchange(api.url, ask('CONNECT', path));
      expect(nobody?.status).toBe(401);
    },
  );

  testCases(['example.org:443', '/nothing', '/healthz'])('is 404 elsewhere', async (target) => {
    const [answer] = await exchange(api.url, ask('CONNECT', target));
    expect(answer?.status).toBe(404);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: 'not_found' });
  });

  test('is answered after the requests before it on its connection, which then ends', async () => {
    const connection = await openRaw(api.url);
    const good = ask('GET', '/sites.php', `X-API-Key: ${api.key}`);
    connection.write(good + good + ask('CONNECT', '/vouchers.php', `X-API-Key: ${api.key}`) + good);
    expect((await connection.closed()).map(({ status }) => status)).toEqual([200, 200, 405]);
  });
});
