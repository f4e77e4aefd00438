import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { forEachTest } from '../../support/fixture.js';
import { openRaw } from '../../support/rawSocket.js';
import { send, type RequestOptions } from '../../support/service.js';
import { until } from '../../support/until.js';
import { startProxy, startServer, violationsOf } from './servers.js';

describe('in front of a server that is wrong', () => {
  let respond: (req: IncomingMessage, res: ServerResponse) => void;
  const server = forEachTest(() => startServer((req, res) => respond(req, res)), 'stop');
  const proxy = forEachTest(() => startProxy(server.url, '--json'), 'end');
  const ask = (options: RequestOptions = {}) =>
    send(proxy.url, 'GET', '/sites.php', { key: 'x', ...options });
  const head = {
    'Content-Type': 'application/json',
    'X-Request-Id': '1',
    ETag: '"1"',
    'Cache-Control': 'private, no-cache',
  };
  const sites = JSON.stringify({ sites: [{ id: 1, name: 'a' }] });

  test('the address is printed as JSON, each violation and the summary too', async () => {
    respond = (_req, res) => res.writeHead(200, head).end(JSON.stringify({ sites: [{ id: 'eins' }] }));
    const answer = await ask();
    expect(answer).toMatchObject({ status: 200, body: { sites: [{ id: 'eins' }] } });
    expect(await proxy.end()).toBe(1);
    const exchange = { method: 'GET', path: '/sites.php', operation: 'listSites', status: 200 };
    const violation = { ...exchange, in: 'response', what: 'body' };
    expect(
      proxy
        .out()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { url: proxy.url },
      { ...violation, message: "/sites/0 must have required property 'name'" },
      { ...violation, message: '/sites/0/id must be integer' },
      { requests: 1, violations: 2, failures: 0 },
    ]);
  });

  test.each<[string, number, Record<string, string>, string, string[]]>([
    ['a status', 418, head, sites, ['response status: 418 is not documented']],
    [
      'a header that is missing',
      200,
      { 'Content-Type': 'application/json', ETag: '"1"', 'Cache-Control': 'private, no-cache' },
      sites,
      ['response header: X-Request-Id is missing'],
    ],
    [
      'a header that is wrong',
      200,
      { ...head, 'RateLimit-Limit': 'many', 'RateLimit-Reset': '61' },
      sites,
      ['response header: RateLimit-Limit must be integer', 'response header: RateLimit-Reset must be <= 60'],
    ],
    [
      'a content type',
      200,
      { ...head, 'Content-Type': 'text/html' },
      '<h1>',
      ['response content type: "text/html", not application/json'],
    ],
    ['a body that is no JSON', 200, head, '{"sites":', ['response body: is not JSON']],
  ])('%s is found', async (_what, status, headers, body, expected) => {
    respond = (_req, res) => res.writeHead(status, headers).end(body);
    const answer = await ask();
    expect(answer).toMatchObject({ status, text: body });
    expect(violationsOf(answer)).toEqual(expected);
  });

  test('a compressed body is compared, too, and passes as it is', async () => {
    const bytes = gzipSync(JSON.stringify({ sites: [{ id: 0, name: 'a' }] }));
    respond = (_req, res) => res.writeHead(200, { ...head, 'Content-Encoding': 'gzip' }).end(bytes);
    const answer = await ask();
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(violationsOf(answer)).toEqual(['response body: /sites/0/id must be >= 1']);
    respond = (_req, res) => res.writeHead(200, { ...head, 'Content-Encoding': 'gzip' }).end(sites);
    expect(violationsOf(await ask())).toEqual(['response body: is not encoded as Content-Encoding says']);
  });

  test('of a thousand violations a few are in the headers', async () => {
    const wrong = JSON.stringify({ sites: Array.from({ length: 1_000 }, () => ({ id: 0, name: 'ä' })) });
    respond = (_req, res) => res.writeHead(200, head).end(wrong);
    const answer = await ask();
    expect(answer.text).toBe(wrong);
    expect(String(answer.headers['x-contract-violation'])).toMatch(/, and 990 more$/);
    expect(String(answer.headers['x-contract-violation']).length).toBeLessThan(3_000);
  });

  test('a body that is too long to be compared passes unchanged', async () => {
    const long = JSON.stringify({ sites: [{ id: 0, name: 'x'.repeat(5 * 1024 * 1024) }] });
    respond = (_req, res) => res.writeHead(200, head).end(long);
    const answer = await ask();
    expect(answer.text === long).toBe(true);
    expect(violationsOf(answer)).toEqual([]);
  });

  test('request and headers arrive as they were sent, with the right Host', async () => {
    let seen: IncomingMessage | undefined;
    let body = '';
    respond = (req, res) => {
      seen = req;
      req.on('data', (chunk: Buffer) => (body += String(chunk)));
      req.on('end', () => res.writeHead(404).end());
    };
    const connection = await openRaw(proxy.url);
    connection.write(
      [
        'POST /elsewhere?a=%20b HTTP/1.1',
        'Host: client.example',
        'X-Twice: 1',
        'x-twice: 2',
        'Connection: close, X-Hop',
        'X-Hop: 1',
        'Transfer-Encoding: chunked',
        '',
        '3',
        'abc',
        '0',
        '',
        '',
      ].join('\r\n'),
    );
    expect((await connection.closed())[0]).toMatchObject({ status: 404 });
    expect([seen?.method, seen?.url, body]).toEqual(['POST', '/elsewhere?a=%20b', 'abc']);
    expect(seen?.rawHeaders).toEqual([
      'Host',
      new URL(server.url).host,
      'X-Twice',
      '1',
      'x-twice',
      '2',
      'Transfer-Encoding',
      'chunked',
      'Connection',
      'close',
    ]);
  });

  test('what is not JSON is passed on while it comes', async () => {
    let finish = (): void => undefined;
    respond = (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write('data: 1\n\n');
      finish = () => void res.end('data: 2\n\n');
    };
    const connection = await openRaw(proxy.url);
    let received = '';
    connection.socket.on('data', (chunk: Buffer) => (received += String(chunk)));
    connection.write('GET /events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await until('the first event', () => received.includes('data: 1'));
    expect(received).not.toContain('data: 2');
    finish();
    await connection.closed();
    expect(received).toContain('data: 2');
  });

  test('a client that gives up is given up behind the proxy, too', async () => {
    let hasArrived = false;
    let isGivenUp = false;
    respond = (_req, res) => {
      hasArrived = true;
      res.once('close', () => (isGivenUp = true));
    };
    const connection = await openRaw(proxy.url);
    connection.write('GET /sites.php HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the request has arrived', () => hasArrived);
    connection.socket.destroy();
    await until('it is given up', () => isGivenUp);
  });
});
