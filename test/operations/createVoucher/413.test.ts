import { beforeAll, expect, test } from '@jest/globals';
import { bodyOf, sendRaw } from '../../support/rawSocket.js';
import { refusal } from '../../support/refusal.js';
import { withService } from '../../support/service.js';

const tooLarge = refusal(413, 'payload_too_large', 'Der Inhalt der Anfrage ist zu groß (höchstens 64 KiB)');
const service = withService();
let key: string;
let siteId: number;

beforeAll(async () => {
  key = await service.addKey();
  siteId = await service.addSite();
});

const bodyOfSize = (bytes: number): string => {
  const empty = JSON.stringify({ site_id: siteId, name: 'x', padding: '' });
  return empty.replace('""', `"${'.'.repeat(bytes - empty.length)}"`);
};
const head = (framing: string): string =>
  `POST /vouchers.php HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${framing}\r\n\r\n`;

test('a body larger than 64 KiB gives 413, one of exactly 64 KiB does not', async () => {
  expect((await service.post('/vouchers.php', bodyOfSize(65_536), { key })).status).toBe(201);
  expect(await service.post('/vouchers.php', bodyOfSize(65_537), { key })).toMatchObject(tooLarge);
});

test.each([
  ['announced', 'Content-Length: 10000000', ''],
  ['sent in chunks', 'Transfer-Encoding: chunked', `10001\r\n${'.'.repeat(65_537)}\r\n`],
])(
  'a larger body that is %s is answered, and the connection is not read further',
  async (_, framing, start) => {
    // The rest of the body never comes: an answer, and the end of the connection, show that nobody waits for it.
    const answer = await sendRaw(service.url, head(framing) + start);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(bodyOf(answer)).toBe(tooLarge.text);
  },
);

test('a larger body of an operation that reads none is not read either', async () => {
  const answer = await sendRaw(
    service.url,
    head('Content-Length: 10000000').replace('POST /vouchers.php', 'GET /sites.php'),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
});
