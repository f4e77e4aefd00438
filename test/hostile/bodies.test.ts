import { afterEach, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw, watchServer, type RawAnswer } from '../support/rawSocket.js';

const tenMegabytes = 10 * 1024 * 1024;
/** What may have been read: the allowed 64 KiB and what was already on its way in one piece, with room to spare. */
const mostRead = 512 * 1024;
const watch = watchServer();
const api = withApi({ beforeStop: () => watch.stop() });

afterEach(async () => {
  const { status } = await api.get('/sites.php', { key: api.key });
  expect(status).toBe(200);
});

const head = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const post = 'POST /vouchers.php';

const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'x'), Buffer.from('\r\n')]);
const inChunks = Buffer.concat([...Array.from({ length: 160 }, () => chunk), Buffer.from('0\r\n\r\n')]);

/** Pushes a whole body, whatever the answer, and returns the answers and how much the service has read. */
const push = async (start: string, body: Buffer): Promise<{ answers: RawAnswer[]; bytesRead: number }> => {
  const seen = watch.sockets().length;
  const connection = await openRaw(api.url);
  connection.write(start);
  connection.write(body);
  const answers = await connection.closed();
  return { answers, bytesRead: watch.sockets()[seen]?.bytesRead ?? 0 };
};

const withKey = (): string => `X-API-Key: ${api.key}`;
const length = `Content-Length: ${tenMegabytes}`;
const chunked = 'Transfer-Encoding: chunked';
const expecting = 'Expect: 100-continue';

test.each([
  ['with its length', () => head(post, withKey(), length), () => Buffer.alloc(tenMegabytes, 'x'), 413],
  [
    'with its length, pushed although 100 was asked for',
    () => head(post, withKey(), length, expecting),
    () => Buffer.alloc(tenMegabytes),
    413,
  ],
  ['in chunks', () => head(post, withKey(), chunked), () => inChunks, 413],
  [
    'in chunks, pushed although 100 was asked for',
    () => head(post, withKey(), chunked, expecting),
    () => inChunks,
    413,
  ],
  ['without a key', () => head(post, length), () => Buffer.alloc(tenMegabytes), 401],
  ['without a key, in chunks', () => head(post, chunked), () => inChunks, 401],
  [
    'for an operation that reads none',
    () => head('GET /sites.php', withKey(), length),
    () => Buffer.alloc(tenMegabytes),
    200,
  ],
  ['for the description', () => head('POST /openapi.php', length), () => Buffer.alloc(tenMegabytes), 405],
])('a body of 10 MB %s is not read further', async (_name, start, body, status) => {
  const { answers, bytesRead } = await push(start(), body());
  const last = answers.at(-1);
  expect(last?.status).toBe(status);
  expect(last?.head).toMatch(/^connection: close$/im);
  expect(bytesRead).toBeGreaterThan(0);
  expect(bytesRead).toBeLessThan(mostRead);
});

test('the answer to a body that is too large is the documented one', async () => {
  const { answers } = await push(head(post, withKey(), length), Buffer.alloc(tenMegabytes));
  expect(JSON.parse(answers[0]?.body ?? '')).toEqual({
    error: 'payload_too_large',
    message: 'Der Inhalt der Anfrage ist zu groß (höchstens 64 KiB)',
  });
  expect(answers[0]?.head).toMatch(/^x-request-id: \S+$/im);
});

test('a client that asks first is told to go on only when its body may come', async () => {
  const refused = await openRaw(api.url);
  refused.write(head(post, withKey(), length, expecting));
  expect((await refused.closed()).map(({ status }) => status)).toEqual([413]);

  const welcome = await openRaw(api.url);
  welcome.write(head(post, withKey(), 'Content-Length: 24', expecting));
  expect((await welcome.answered(1)).map(({ status }) => status)).toEqual([100]);
  welcome.write('{"site_id":1,"name":"x"}');
  expect((await welcome.answered(2)).map(({ status }) => status)).toEqual([100, 201]);
  welcome.socket.destroy();
});

test('a body of exactly 64 KiB is read, one byte more is not, by length and in chunks', async () => {
  const order = '{"site_id":1,"name":"x"}';
  for (const [size, status] of [
    [65_536, 201],
    [65_537, 413],
  ] as const) {
    const body = order.padEnd(size);
    const whole = await openRaw(api.url);
    whole.write(head(post, withKey(), `Content-Length: ${size}`) + body);
    expect((await whole.answered(1))[0]?.status).toBe(status);
    whole.socket.destroy();
    const parts = await openRaw(api.url);
    parts.write(head(post, withKey(), chunked));
    for (let at = 0; at < size; at += 1000) {
      const part = body.slice(at, at + 1000);
      parts.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    }
    parts.write('0\r\n\r\n');
    expect((await parts.answered(1))[0]?.status).toBe(status);
    parts.socket.destroy();
  }
});

test.each([
  ['a size that is none', chunked, 'zz\r\nx\r\n'],
  ['an extension without end', chunked, `5;${'x'.repeat(40_000)}`],
])('a chunk with %s is refused with an answer, and nothing is made', async (_, header, body) => {
  const connection = await openRaw(api.url);
  connection.write(head(post, withKey(), header) + body);
  const [answer] = await connection.closed();
  expect(answer?.status).toBeGreaterThanOrEqual(400);
  expect(answer?.status).toBeLessThan(500);
  expect(JSON.parse(answer?.body ?? '')).toHaveProperty('error');
  expect(await api.database.read('intents')).toEqual([]);
});
