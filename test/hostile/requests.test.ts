import { afterEach, describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { exchange } from '../support/rawSocket.js';

const api = withApi();

afterEach(async () => {
  const { status } = await api.get('/sites.php', { key: api.key });
  expect(status).toBe(200);
});

const order = '{"site_id":1,"name":"x"}';
const get = (target: string, ...headers: string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: localhost', `X-API-Key: ${api.key}`, ...headers, '', ''].join('\r\n');
const post = (body: string | Buffer, ...headers: string[]): Buffer => {
  const head = ['POST /vouchers.php HTTP/1.1', 'Host: localhost', `X-API-Key: ${api.key}`, ...headers];
  const length = `Content-Length: ${String(Buffer.byteLength(body))}`;
  return Buffer.concat([Buffer.from([...head, length, '', ''].join('\r\n'), 'latin1'), Buffer.from(body)]);
};

const inChunks = (chunks: string): string =>
  post('').toString().replace('Content-Length: 0', 'Transfer-Encoding: chunked') + chunks;

/** A name, the bytes, and the statuses that are right; none means that the connection may just be closed. */
type Case = [name: string, bytes: () => string | Buffer, ...statuses: number[]];

const refused = async (bytes: string | Buffer, statuses: number[]): Promise<void> => {
  const answers = await exchange(api.url, bytes);
  const [answer] = answers;
  if (statuses.length > 0) expect(statuses).toContain(answer?.status);
  else if (answer) expect(Math.floor(answer.status / 100)).toBe(4);
};

const each = (cases: Case[]): void => {
  test.each(cases)('%s', (_name, bytes, ...statuses) => refused(bytes(), statuses));
};

describe('a body that is no order is refused', () => {
  each([
    ['malformed JSON', () => post('{"site_id":1,"name":"x"'), 400],
    ['JavaScript that is no JSON', () => post("{site_id:1,name:'x'}"), 400],
    ['NaN and Infinity', () => post('{"site_id":NaN,"name":Infinity}'), 400],
    ['a byte order mark', () => post(`\ufeff${order}`), 400],
    ['UTF-16', () => post(Buffer.from(order, 'utf16le')), 400],
    ['invalid UTF-8', () => post(Buffer.from('{"site_id":1,"name":"\xff\xfe"}', 'latin1')), 400],
    ['an overlong form of UTF-8', () => post(Buffer.from('{"site_id":1,"name":"\xc0\x80"}', 'latin1')), 400],
    [
      'a form instead of JSON',
      () => post('site_id=1&name=x', 'Content-Type: application/x-www-form-urlencoded'),
      400,
    ],
    ['an XML document', () => post('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'), 400],
    ['60,000 open brackets', () => post('['.repeat(60_000)), 400],
    ['30,000 arrays in one another', () => post('['.repeat(30_000) + ']'.repeat(30_000)), 400],
    ['fields of the prototype', () => post('{"__proto__":{"site_id":1,"name":"x"}}'), 400],
    ['fields of the constructor', () => post('{"constructor":{"prototype":{"site_id":1,"name":"x"}}}'), 400],
  ]);
});

describe('headers that contradict each other are refused', () => {
  const { length } = order;
  each([
    ['two hosts', () => get('/sites.php', 'Host: other'), 400],
    [
      'two Authorization headers',
      () =>
        get('/sites.php', `Authorization: Bearer ${api.key}`, 'Authorization: Bearer x').replace(
          /X-API-Key.*\r\n/,
          '',
        ),
      400,
      401,
    ],
    [
      'two Authorization headers, the second valid',
      () =>
        get('/sites.php', 'Authorization: Bearer x', `Authorization: Bearer ${api.key}`).replace(
          /X-API-Key.*\r\n/,
          '',
        ),
      400,
      401,
    ],
    ['two API keys', () => get('/sites.php', `X-API-Key: ${api.key}`), 400, 401],
    ['two lengths', () => post(order, `Content-Length: ${length + 1}`), 400],
    ['two equal lengths', () => post(order, `Content-Length: ${length}`), 400],
    [
      'a length that is a list',
      () => post('').toString().replace('Content-Length: 0', 'Content-Length: 5, 5'),
      400,
    ],
    ['a negative length', () => post('').toString().replace('Content-Length: 0', 'Content-Length: -1'), 400],
    [
      'an endless length',
      () =>
        post('')
          .toString()
          .replace('Content-Length: 0', `Content-Length: ${'9'.repeat(40)}`),
      400,
    ],
    ['a length and chunks', () => post('0\r\n\r\n', 'Transfer-Encoding: chunked'), 400],
    ['chunks that are not the last coding', () => post('0\r\n\r\n', 'Transfer-Encoding: chunked, gzip'), 400],
    ['an unknown coding', () => get('/sites.php', 'Transfer-Encoding: what')],
    ['two idempotency keys', () => post(order, 'Idempotency-Key: a', 'Idempotency-Key: b'), 400],
    ['a blank before the colon', () => get('/sites.php', 'X-Odd : 1'), 400],
    ['a folded header', () => get('/sites.php', 'X-Odd: 1', ' 2'), 400],
    ['a bare line feed in a header', () => get('/sites.php', 'X-Odd: 1\nX-API-Key: 2'), 400],
    ['NUL in a header', () => get('/sites.php', 'X-Odd: \0'), 400],
    ['no host at all', () => get('/sites.php').replace('Host: localhost\r\n', ''), 400],
    ['an unknown expectation', () => post(order, 'Expect: 200-ok'), 417],
  ]);
});

describe('too much is refused', () => {
  each([
    ['a million characters of query', () => get(`/vouchers.php?site_id=${'1'.repeat(1_000_000)}`), 431],
    ['a million characters of path', () => get(`/${'a'.repeat(1_000_000)}`), 431],
    ['a million characters in a header', () => get('/sites.php', `X-Odd: ${'a'.repeat(1_000_000)}`), 431],
    ['a million characters of a method', () => 'A'.repeat(1_000_000)],
    [
      'a hundred thousand headers',
      () => get('/sites.php', ...Array.from({ length: 100_000 }, (_, n) => `X-${n}: 1`)),
      431,
    ],
    ['a chunk extension without end', () => inChunks(`1;${'x'.repeat(1_000_000)}`)],
    ['a chunk of endless size', () => inChunks(`${'f'.repeat(40)}\r\n`)],
    ['a chunk whose size is no number', () => inChunks('zz\r\n')],
    ['a chunk that is longer than its size', () => inChunks('1\r\nxyz\r\n')],
    ['a trailer without end', () => inChunks(`0\r\nX-Odd: ${'x'.repeat(1_000_000)}`)],
  ]);
});

describe('an address that makes no sense is refused', () => {
  each([
    ['bad percent-encoding in the path', () => get('/%zz'), 400, 404],
    ['half an encoded character in the path', () => get('/%c3'), 400, 404],
    ['bad percent-encoding in the query', () => get('/vouchers.php?site_id=%'), 400],
    ['invalid UTF-8, encoded, in the query', () => get('/vouchers.php?site_id=%ff1'), 400],
    ['NUL, encoded, in the query', () => get('/vouchers.php?site_id=1%00'), 400],
    ['site_id of the prototype', () => get('/vouchers.php?__proto__[site_id]=1&__proto__.site_id=1'), 400],
    ['a way up', () => get('/../../etc/passwd'), 400, 404],
    ['an encoded way up', () => get('/%2e%2e%2f%2e%2e%2fetc%2fpasswd'), 400, 404],
    ['an encoded slash before the operation', () => get('/%2fsites.php'), 400, 404],
    ['a dot before the operation', () => get('/.//sites.php'), 400, 404],
    ['a fragment', () => get('/sites.php#x')],
    ['a name of the prototype', () => get('/__proto__'), 404],
    ['no path', () => get('sites.php')],
    [
      'a host that is none in front of the description',
      () => get('/openapi.php').replace('Host: localhost', 'Host: a b<script>'),
      400,
    ],
  ]);

  test('bytes above 127 in path and query', async () => {
    await refused(Buffer.from(get('/\xff\xfe'), 'latin1'), []);
    await refused(Buffer.from(get('/vouchers.php?site_id=\xff1'), 'latin1'), []);
  });

  test('an absolute address is read as HTTP asks', async () => {
    const [answer] = await exchange(api.url, get('http://localhost/sites.php'));
    expect(answer?.status).toBe(200);
  });

  test('a parameter behind a thousand others is read all the same', async () => {
    const [answer] = await exchange(api.url, get(`/vouchers.php?${'a&'.repeat(1500)}site_id=1`));
    expect(answer?.status).toBe(200);
  });
});

test('keys named __proto__ pollute no prototype', async () => {
  const odd = '{"site_id":1,"name":"x","__proto__":{"polluted":1},"qos":{"__proto__":{"polluted":1}},';
  const [answer] = await exchange(api.url, post(`${odd}"constructor":{"prototype":{"polluted":1}}}`));
  expect(answer?.status).toBe(201);
  await exchange(api.url, get('/vouchers.php?site_id=1&__proto__[polluted]=1', '__proto__: 1'));
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});
