import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { loadServiceContract, webContractFile } from '../../src/config/packagedContracts.js';
import type { AnyReply } from '../../src/contract/runtime/request.js';
import { makeReadQueue } from '../../src/http/readQueue.js';
import { until } from '../support/until.js';

const { operations } = loadServiceContract(webContractFile);

/** A queue, and what has begun. */
const makeQueue = () => {
  const queue = makeReadQueue<string>({ principalOf: (key) => key, unqueued: new Set(['followEvents']) });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const aborts: AbortController[] = [];
  /** Asks for something that goes on until it is ended. */
  const ask = async (
    name: string,
    operationId: string,
    key?: string,
    address = '192.0.2.1',
    body?: Readable,
  ) => {
    const operation = operations.get(operationId);
    if (!operation) throw new Error(`there is no operation ${operationId}`);
    const client = { address, origin: '', basePath: '', publicUrl: '', hasFixedUrl: false, userAgent: null };
    const abort = new AbortController();
    aborts.push(abort);
    const request = { key, signal: () => abort.signal, client: () => client };
    return queue(request, operation, () => {
      begun.push(name);
      const reply: AnyReply = { status: 200, body };
      return body ? reply : new Promise((resolve) => ends.push(() => resolve(reply)));
    });
  };
  return { ask, begun, end: () => ends.shift()?.(), aborts };
};

/** A principal waits as long as its read took. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 250));
const refused = { code: 'unavailable', headers: { 'Retry-After': '1' } };

test('a user reads one thing at a time, and others do not wait for it', async () => {
  const { ask, begun, end } = makeQueue();
  const answers = [
    ask('a1', 'listVouchers', 'a'),
    ask('a2', 'getOverview', 'a'),
    ask('b1', 'getReport', 'b'),
  ];
  expect(begun).toEqual(['a1', 'b1']);
  end();
  expect(await answers[0]).toMatchObject({ status: 200 });
  await until('the next has begun', () => begun.length === 3);
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('between two reads of a user others have their time', async () => {
  const { ask, begun, end } = makeQueue();
  const first = ask('first', 'listVouchers', 'a');
  void ask('second', 'listVouchers', 'a');
  end();
  await first;
  // Everything that waits for no timer.
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(begun).toEqual(['first']);
  await until('the second has begun', () => begun.length === 2);
});

test('beyond a short queue a user is refused', async () => {
  const { ask, begun } = makeQueue();
  for (let index = 0; index < 31; index += 1) void ask('a', 'listSites', 'a');
  await expect(ask('one too many', 'listSites', 'a')).rejects.toMatchObject(refused);
  void ask('b', 'listSites', 'b');
  expect(begun).toEqual(['a', 'b']);
});

test('people without a session are told apart by their address, behind which several read at a time', async () => {
  const { ask, begun } = makeQueue();
  for (let index = 0; index < 9; index += 1) void ask('a', 'getGuestPage');
  void ask('b', 'getKiosk', undefined, '192.0.2.2');
  for (let index = 0; index < 9; index += 1)
    void ask('c', 'getGuestPage', undefined, `2001:db8::${String(index)}`);
  expect(begun).toEqual([...Array<string>(8).fill('a'), 'b', ...Array<string>(8).fill('c')]);
});

test('what changes something does not queue, nor what never ends', () => {
  const { ask, begun } = makeQueue();
  for (const id of ['followEvents', 'listVouchers', 'followEvents', 'createOrder', 'createOrder'])
    void ask(id, id, 'a');
  expect(begun).toEqual(['followEvents', 'listVouchers', 'followEvents', 'createOrder', 'createOrder']);
});

test.each<[string, (file: Readable) => void]>([
  ['was sent', (file) => void file.push(null)],
  ['is given up', (file) => file.destroy()],
  ['fails', (file) => file.once('error', () => undefined).destroy(new Error('the disk is gone'))],
])('a file counts until it %s, and pages can be read meanwhile', async (_, endFile) => {
  const { ask, begun } = makeQueue();
  const file = new Readable({ read: () => undefined });
  await ask('file', 'exportVouchers', 'a', undefined, file);
  void ask('next', 'exportSelectedVouchers', 'a');
  void ask('page', 'listVouchers', 'a');
  await settled();
  expect(begun).toEqual(['file', 'page']);
  const closed = new Promise((resolve) => file.once('close', resolve));
  endFile(file);
  file.resume();
  await closed;
  await until('the next has begun', () => begun.length === 3);
  expect(begun).toEqual(['file', 'page', 'next']);
});

test('what fails counts no longer', async () => {
  const { ask, begun } = makeQueue();
  const file = new Readable({ read: () => undefined });
  file.destroy();
  for (let round = 0; round < 10; round += 1)
    await ask(String(round), 'exportVouchers', 'a', undefined, file);
  expect(begun).toHaveLength(10);
});

test('a request whose deadline passes in the queue is answered at once, and does not begin', async () => {
  const { ask, begun, end, aborts } = makeQueue();
  void ask('first', 'listVouchers', 'a');
  const waiting = ask('second', 'listVouchers', 'a');
  aborts[1]?.abort(new Error('too late'));
  await expect(waiting).rejects.toThrow('too late');
  end();
  await settled();
  expect(begun).toEqual(['first']);
});

test('one that has begun is answered by its handler, which ends when its deadline passes', async () => {
  const { ask, end, aborts } = makeQueue();
  const running = ask('first', 'listVouchers', 'a');
  aborts[0]?.abort(new Error('too late'));
  end();
  expect(await running).toMatchObject({ status: 200 });
});
