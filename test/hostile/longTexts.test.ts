import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { parseFilter, type Property } from '../../simulators/unifi/filter.js';
import { respondWith, startWebhookTarget } from '../../simulators/webhookTarget.js';
import { compileConversion, toInteger } from '../../src/contract/conversion.js';
import { parsePrefer } from '../../src/contract/mock/mock.js';
import { parseIntegrationAnswer, toAnswerError } from '../../src/controllers/unifi/integrationApi.js';
import { parseClassicAnswer } from '../../src/controllers/unifiClassic/answer.js';
import { makeCookies } from '../../src/controllers/unifiClassic/session.js';
import { makeResolveOrigin } from '../../src/http/client.js';
import { matchesEtag } from '../../src/http/response.js';
import { publicText } from '../../src/lib/publicText.js';
import { fillTemplate } from '../../src/lib/textTemplate.js';
import { toSafeLine } from '../../src/webhooks/formats/content.js';
import { judgeByStatus } from '../../src/webhooks/formats/format.js';
import { makeWebhookSender, sendTimeoutMs } from '../../src/webhooks/sender.js';
import { makeSsrfGuard } from '../../src/ssrf/ssrfGuard.js';
import { formatCode } from '../../src/vouchers/record.js';
import { direct, startScripted } from '../controllers/unifi/scriptedConsole.js';
import { withApi } from '../support/api.js';
import { processorMsOf } from '../support/processorTime.js';
import { exchange } from '../support/rawSocket.js';

/**
 * A pattern that looks at every character once takes a few milliseconds for a text of 64 KiB; one that looks at the rest
 * again from every character takes seconds.
 */
const enoughMs = 500;
const size = 64 * 1024;

/** What a text begins with, what it repeats, and what keeps it from being what it looks like. */
const beginnings = ['', 'password="', '"', '[', 'select ', 'a='];
const units = [
  ...[
    '1',
    '0.',
    '1e',
    '+',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    'a',
    '-',
    '_',
    '.',
    ':',
    '/',
    '//',
    '//a:b',
    '@',
    ',',
    ', ',
  ],
  ...[
    "'",
    '"',
    '\\',
    '\\"',
    '"\\"',
    'a="',
    "a='",
    'token',
    'pass-',
    'TA',
    'key:',
    'secret= ',
    'cookie ',
    'cookie: ',
  ],
  ...[
    'bearer ',
    'authorization',
    'eyJ',
    'eyJaaaaaaaa.',
    'uvt_',
    'uvt_0',
    '=',
    ' = ',
    '{',
    '{a',
    '}',
    ' - ',
    ' - SQLITE',
  ],
  ...['W/', 'W/"a",', 'site', 'é', '😀', '\u202e', 'a;', '; max-age=0'],
];
const ends = ['', '!'];

function* hostileTexts(length: number): Generator<string> {
  for (const beginning of beginnings)
    for (const unit of units)
      for (const end of ends)
        yield beginning + unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end;
}

const requestWith = (headers: Record<string, string>) =>
  ({ headers, socket: { remoteAddress: '127.0.0.1' } }) as unknown as IncomingMessage;
const quietly = (read: () => unknown): void => {
  try {
    read();
  } catch {
    // Refusing a text is as good as reading it.
  }
};
const originOf = makeResolveOrigin({ trustProxy: ['127.0.0.1'], basePath: '' });
const trimmed = compileConversion({ type: 'string', 'x-lenient': true, 'x-trim': true });
const cookies = makeCookies();
const name: Property<string> = { type: 'string', functions: ['eq', 'like'], value: (item) => item };

describe('a text of 64 KiB is read in the time that its length takes', () => {
  test.each<[string, (text: string) => unknown]>([
    ['a number as a whole', (text) => toInteger(text)],
    ['a number at the beginning', (text) => toInteger(text, true)],
    ['a name', trimmed],
    ['an exception', (text) => publicText(new Error(text))],
    ['an exception of a database', (text) => publicText(Object.assign(new Error(text), { code: 'X' }))],
    ["a message of the contract's", (text) => fillTemplate(text, { a: 'b' })],
    ['Prefer', parsePrefer],
    ['If-None-Match', (text) => matchesEtag(requestWith({ 'if-none-match': text }), '"a"')],
    ['Host', (text) => originOf(requestWith({ host: text }))],
    ['X-Forwarded-Host', (text) => originOf(requestWith({ 'x-forwarded-host': text }))],
    ['X-Forwarded-Prefix', (text) => originOf(requestWith({ 'x-forwarded-prefix': text }))],
    [
      'a refusal of the Integration API',
      (text) => {
        const said = {
          status: 400,
          headers: { 'retry-after': text },
          text: JSON.stringify({ message: text }),
        };
        return toAnswerError(parseIntegrationAnswer(said, true), { name: 'Zentrale', safe: publicText });
      },
    ],
    ['cookies of a classic console', (text) => cookies.take([text, `a=b;${text}`])],
    [
      'a refusal of a classic console',
      (text) =>
        parseClassicAnswer({
          status: 403,
          headers: { 'retry-after': text },
          text: JSON.stringify({ meta: { rc: 'error', msg: text } }),
        }),
    ],
    ['a code', (text) => formatCode(text)],
    [
      "a webhook target's answer",
      (text) => judgeByStatus([])({ status: 429, headers: { 'retry-after': text }, body: text }),
    ],
    ['what a notification shows', toSafeLine],
    ['a filter of the simulator', (text) => parseFilter(text, { name })],
    ['a string in a filter of the simulator', (text) => parseFilter(`name.eq('${text}`, { name })],
  ])('%s', async (_, read) => {
    for (const text of hostileTexts(size)) {
      const takenMs = await processorMsOf(() => quietly(() => read(text)), enoughMs);
      if (takenMs > enoughMs)
        throw new Error(`${takenMs.toFixed()} ms for ${JSON.stringify(text.slice(0, 40))}…`);
    }
  });

  test('a pattern of a filter of the simulator', async () => {
    const filter = parseFilter(`name.like('${'*a'.repeat(50)}*b')`, { name });
    expect(await processorMsOf(() => filter('a'.repeat(1000)), enoughMs)).toBeLessThan(enoughMs);
  });
});

describe('an answer with a long text holds up nobody', () => {
  const texts = ['token', 'a', ' ', '"\\"', 'pass="', 'cookie ', '//a'].map((unit) =>
    unit.repeat(size / unit.length),
  );

  test('when it comes from a console', async () => {
    let said = '';
    const { controller, stop } = await startScripted(({ method }) => ({
      status: method === 'POST' ? 400 : 200,
      body: { message: said },
    }));
    for (const text of texts) {
      said = text;
      const create = () => expect(controller.create(direct, 1)).rejects.toThrow('it said no');
      expect(await processorMsOf(create, enoughMs)).toBeLessThan(enoughMs);
    }
    await stop();
  });

  test('when it comes from a webhook target', async () => {
    const target = await startWebhookTarget();
    const { send: post, close } = makeWebhookSender({
      guard: makeSsrfGuard(['127.0.0.1']),
      timeoutMs: sendTimeoutMs,
    });
    for (const text of texts) {
      target.behave(respondWith(500, text));
      const send = async () => judgeByStatus([])(await post(target.url, { headers: {}, body: '{}' })).outcome;
      expect(await processorMsOf(send, enoughMs)).toBeLessThan(enoughMs);
    }
    await close();
    await target.stop();
  });
});

describe('a request with a long text holds up nobody', () => {
  const api = withApi({ env: { TRUST_PROXY: '127.0.0.1' } });

  /** What is left of the 16 KiB that a head may have. */
  const inHead = 15_000;
  const digits = `${'1'.repeat(inHead)}x`;
  const head = (line: string, ...headers: string[]): string =>
    [`${line} HTTP/1.1`, 'Host: localhost', `X-API-Key: ${api.key}`, ...headers, '', ''].join('\r\n');
  const post = (body: string): string =>
    `${head('POST /vouchers.php', `Content-Length: ${Buffer.byteLength(body)}`)}${body}`;

  const takenFor = async (bytes: string): Promise<number> =>
    processorMsOf(async () => {
      const [answer] = await exchange(api.url, bytes);
      expect(answer?.status).toBeLessThan(500);
    }, enoughMs);

  test.each(['site_id', 'name', 'max_uses', 'expire_minutes', 'qos'])('in %s of a body', async (field) => {
    for (const unit of ['1', ' ', '\\t', '0.', '\\u00a0', 'a'])
      for (const end of ['', 'x']) {
        const text = `"${unit.repeat(60_000 / unit.length)}${end}"`;
        const value = field === 'qos' ? `{"down":${text},"up":${text.slice(0, 1000)}"}` : text;
        const order = field === 'site_id' ? '"name":"x"' : '"site_id":1';
        expect(await takenFor(post(`{${order},"${field}":${value}}`))).toBeLessThan(enoughMs);
      }
  });

  test.each([
    ['the query', () => head(`GET /vouchers.php?site_id=${digits}`)],
    ['the names of a query', () => head(`GET /vouchers.php?${'a=1&'.repeat(inHead / 4)}`)],
    ['a query that is encoded', () => head(`GET /vouchers.php?site_id=${'%20'.repeat(inHead / 3)}1`)],
    ['the path', () => head(`GET ${'/'.repeat(inHead)}x`)],
    ['an address', () => head(`GET http://${'a'.repeat(inHead)}`)],
    ['Authorization', () => head('GET /sites.php', `Authorization: Bearer ${' '.repeat(inHead)}x y`)],
    ['Authorization, a token', () => head('GET /sites.php', `Authorization: Bearer ${'a'.repeat(inHead)} b`)],
    ['X-Request-Id', () => head('GET /sites.php', `X-Request-Id: ${'a'.repeat(inHead)}!`)],
    ['If-None-Match', () => head('GET /sites.php', `If-None-Match: ${'W/"a",'.repeat(inHead / 6)}`)],
    ['Prefer', () => head('GET /sites.php', `Prefer: ${'"\\"'.repeat(inHead / 3)}`)],
    ['Idempotency-Key', () => head('POST /vouchers.php', `Idempotency-Key: ${'a '.repeat(inHead / 2)}`)],
    ['Host', () => head('GET /openapi.php').replace('localhost', `${'a.-'.repeat(inHead / 3)}!`)],
    ['X-Forwarded-Host', () => head('GET /openapi.php', `X-Forwarded-Host: ${'a'.repeat(inHead)}!`)],
    ['X-Forwarded-Prefix', () => head('GET /docs', `X-Forwarded-Prefix: ${'/a'.repeat(inHead / 2)}!`)],
    ['Cookie', () => head('GET /docs', `Cookie: ${'a=b; '.repeat(inHead / 5)}`)],
    ['Accept', () => head('GET /', `Accept: ${'text/*;q=0,'.repeat(inHead / 11)}`)],
    ['Accept-Language', () => head('GET /', `Accept-Language: ${'de;q=0.1,'.repeat(inHead / 9)}`)],
    ['Range', () => head('GET /docs/swagger-ui.css', `Range: bytes=${'0-0,'.repeat(inHead / 4)}`)],
  ])('in %s', async (_, bytes) => {
    expect(await takenFor(bytes())).toBeLessThan(enoughMs);
  });
});
