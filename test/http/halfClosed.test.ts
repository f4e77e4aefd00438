import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.js';
import { withApi } from '../support/api.js';
import { openRaw, type RawAnswer } from '../support/rawSocket.js';

const api = withApi();

const toRequest = (line: string, body = '', version = '1.1'): string =>
  [
    `${line} HTTP/${version}`,
    'Host: localhost',
    `X-API-Key: ${api.key}`,
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');

/** Sends requests, closes this side, and returns what comes until the service has closed the other. */
const sendAndClose = async (requests: string): Promise<RawAnswer[]> => {
  const connection = await openRaw(api.url);
  connection.write(requests);
  connection.end();
  return connection.closed();
};

const statuses = (answers: readonly RawAnswer[]): number[] =>
  answers.map(({ status }) => status).filter((status) => status >= 200);

test.each([
  ['GET /sites.php', 200],
  ['GET /vouchers.php', 400],
  ['GET /openapi.yaml', 200],
  ['GET /healthz', 200],
  ['GET /readyz', 200],
  ['GET /web/start', 200],
  ['GET /sign-in', 200],
])('a client that has closed its side gets its answer: %s, %i', async (line, status) => {
  expect(statuses(await sendAndClose(toRequest(line)))).toEqual([status]);
  expect(statuses(await sendAndClose(toRequest(line, '', '1.0')))).toEqual([status]);
});

test('it gets the answers to all that it has sent, and the connection is closed then', async () => {
  const requests = ['GET /sites.php', 'GET /healthz', 'GET /nothing'].map((line) => toRequest(line));
  const answers = await sendAndClose(requests.join('').repeat(20));
  expect(statuses(answers)).toEqual(Array.from({ length: 20 }, () => [200, 200, 404]).flat());
});

test('an order that takes long is answered, too, after interim answers', async () => {
  const body = JSON.stringify({ site_id: await api.addSite(), name: 'Familie Berger' });
  const other = openDatabase(`sqlite:${join(api.dataDir, 'voucherd.sqlite')}`);
  await other.write.raw('BEGIN IMMEDIATE');
  const connection = await openRaw(api.url);
  connection.write(toRequest('POST /vouchers.php', body));
  connection.end();
  expect((await connection.answered(2)).slice(0, 2).map(({ status }) => status)).toEqual([100, 100]);
  await other.write.raw('ROLLBACK');
  await other.close();
  expect(statuses(await connection.closed())).toEqual([201]);
});
