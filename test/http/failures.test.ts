import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startMock, type MockServer } from '../../src/cli/mockServer.js';
import { readConfig } from '../../src/config.js';
import { makeDrain } from '../../src/http/drain.js';
import { changedContract } from '../support/contract.js';
import { send } from '../support/service.js';

let ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

const lines: string[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });

/** A service whose contract promises a header that HTTP can not carry. */
const startBroken = async (): Promise<MockServer> => {
  const contract = changedContract(['example: private, no-cache', 'example: private … no-cache']);
  const mock = await startMock(contract.file, readConfig({ PORT: '0', NODE_ENV: 'test' }), log);
  ends = [contract.remove, mock.stop];
  return mock;
};

test('an answer that can not be written is a 500 with the reason in the log, and the service goes on', async () => {
  const { url } = await startBroken();
  for (let round = 0; round < 2; round += 1) {
    const answer = await send(url, 'GET', '/sites.php');
    expect(answer).toMatchObject({ status: 500, body: { error: 'server_error' } });
    const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const own = said.filter(({ reqId }) => reqId === answer.headers['x-request-id']);
    expect(own).toEqual([
      expect.objectContaining({
        level: 50,
        msg: 'request failed',
        err: expect.objectContaining({ message: expect.stringContaining('Cache-Control') }),
      }),
      expect.objectContaining({ status: 500 }),
    ]);
  }
  expect((await send(url, 'POST', '/vouchers.php', { body: { site_id: 1, name: 'x' } })).status).toBe(201);
});

test('work that fails is forgotten like work that is done', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  ends.push(() => void process.off('unhandledRejection', note));
  const { track } = makeDrain();
  const work = Promise.reject(new Error('lost'));
  track({} as never, {} as never, work);
  await expect(work).rejects.toThrow('lost');
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});
