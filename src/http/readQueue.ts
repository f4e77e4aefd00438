import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../contract/contract.js';
import type { RunQueued } from '../contract/runtime/operations.js';
import type { AnyReply } from '../contract/runtime/request.js';
import { makeUnavailable } from '../errors/httpProblem.js';
import { networkOf } from '../lib/addresses.js';
import { limitConcurrencyByKey, QueueFull } from '../lib/concurrency.js';

/** How many reads of one principal run at a time, and how many wait. A page sends a few at once. */
const [maxReads, maxWaitingReads] = [1, 30];
/** The same of one address without a session: a whole building may share it. */
const [maxReadsOfAddress, maxWaitingReadsOfAddress] = [8, 200];
/** The same of tables as files. They may take minutes, so they have a queue of their own. */
const [maxTables, maxWaitingTables] = [1, 4];

/** After a read a user waits as long as it took, up to this: so half of the time is left to others. */
const maxPauseMs = 100;

interface ReadQueueOptions<Key> {
  /** Who sends a request with this key. Requests without one are those of their address. */
  principalOf(key: Key): string;
  /** Operations that do not queue, by their ids. */
  readonly unqueued: ReadonlySet<string>;
}

/**
 * Queues the operations that only read, by who asks: somebody who asks for much waits
 * for their own reads, and nobody else does. A file counts until it was sent. Beyond
 * the queue, or when its deadline passes there, a request is refused with 503.
 */
export const makeReadQueue = <Key>({ principalOf, unqueued }: ReadQueueOptions<Key>): RunQueued<Key> => {
  const reads = limitConcurrencyByKey(maxReads, maxWaitingReads);
  const readsOfAddresses = limitConcurrencyByKey(maxReadsOfAddress, maxWaitingReadsOfAddress);
  const tables = limitConcurrencyByKey(maxTables, maxWaitingTables);
  const queueOf = ({ id, method, offered }: Operation, hasUser: boolean): typeof reads | undefined => {
    if (unqueued.has(id)) return undefined;
    if (offered.includes('text/csv')) return tables;
    if (method !== 'get' && !offered.includes('application/pdf')) return undefined;
    return hasUser ? reads : readsOfAddresses;
  };
  return (request, operation, run) => {
    const { key } = request;
    const queue = queueOf(operation, key !== undefined);
    if (!queue) return run();
    const principal = key === undefined ? `address ${networkOf(request.client().address)}` : principalOf(key);
    const signal = request.signal();
    return new Promise<AnyReply>((resolve, reject) => {
      const giveUp = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp, { once: true });
      const read = async (): Promise<void> => {
        // From now on the handler's own signal says when to end: answered earlier, it would go on for nobody.
        signal.removeEventListener('abort', giveUp);
        signal.throwIfAborted();
        const began = performance.now();
        const reply = await run();
        resolve(reply);
        const { body } = reply;
        if (body instanceof Readable && !body.closed) await once(body, 'close');
        if (key === undefined) return;
        await sleep(Math.min(performance.now() - began, maxPauseMs), undefined, { ref: false });
      };
      queue(principal, read).catch((error: unknown) => {
        reject(error instanceof QueueFull ? makeUnavailable() : (error as Error));
      });
    });
  };
};
