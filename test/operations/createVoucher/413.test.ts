import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { bodyOf, sendRaw } from '../../support/rawSocket.js';
import { refusal } from '../../support/refusal.js';

const tooLarge = refusal(413, 'payload_too_large', 'Der Inhalt der Anfrage ist zu groß (höchstens 64 KiB)');
const api = withApi();

const bodyOfSize = (bytes: number): string => {
  const empty = JSON.stringify({ site_id: api.siteId, name: 'x', padding: '' });
  return empty.replace('""', `"${'.'.repeat(bytes - empty.length)}"`);
};
const head = (framing: string): string =>
  `POST /vouchers.php HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n${framing}\r\n\r\n`;

test('a body larger than 64 KiB gives 413, one of exactly 64 KiB does not [order-body-too-large]', async () => {
  expect((await api.post('/vouchers.php', bodyOfSize(65_536), { key: api.key })).status).toBe(201);
  expect(await api.post('/vouchers.php', bodyOfSize(65_537), { key: api.key })).toMatchObject(tooLarge);
});

test.each([
  ['announced', 'Content-Length: 10000000', ''],
  ['sent in chunks', 'Transfer-Encoding: chunked', `10001\r\n${'.'.repeat(65_537)}\r\n`],
])(
  'a larger body that is %s is answered, and the connection is not read further [order-body-too-large]',
  async (_, framing, start) => {
    // The rest of the body never comes: an answer, and the end of the connection, show that nobody waits for it.
    const answer = await sendRaw(api.url, head(framing) + start);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(bodyOf(answer)).toBe(tooLarge.text);
  },
);

test('a larger body of an operation that reads none is not read either', async () => {
  const answer = await sendRaw(
    api.url,
    head('Content-Length: 10000000').replace('POST /vouchers.php', 'GET /sites.php'),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
});
