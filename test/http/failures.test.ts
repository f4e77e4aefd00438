import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { contractFile } from '../support/contract.js';
import { startContractServer } from '../support/contractServer.js';
import { send } from '../support/service.js';

let ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

/** What the machinery gives a handler, as far as these tests need it. */
interface AnyRequest {
  reply(...parts: unknown[]): unknown;
}

test('an answer that can not be written is a 500 with the reason in the log, and the service goes on', async () => {
  const { url, lines, stop } = await startContractServer({
    source: readFileSync(contractFile, 'utf8'),
    handlers: {
      // A header that HTTP can not carry.
      listSites: ({ reply }: AnyRequest) =>
        Promise.resolve(reply(200, { sites: [] }, { 'X-Site': 'Haus – 1' })),
    },
  });
  ends.push(stop);
  for (let round = 0; round < 2; round += 1) {
    const answer = await send(url, 'GET', '/sites.php');
    expect(answer).toMatchObject({ status: 500, body: { error: 'server_error' } });
    const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const own = said.filter(({ reqId }) => reqId === answer.headers['x-request-id']);
    expect(own).toEqual([
      expect.objectContaining({
        level: 50,
        msg: 'request failed',
        err: expect.objectContaining({ message: expect.stringContaining('X-Site') }),
      }),
      expect.objectContaining({ status: 500 }),
    ]);
  }
  expect((await send(url, 'POST', '/vouchers.php', { body: { site_id: 1, name: 'x' } })).status).toBe(201);
});
