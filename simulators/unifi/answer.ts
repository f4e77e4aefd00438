import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { faultsAfter, faultsBefore, faultsOfVouchers, type Faults } from './faults.js';
import { spoil } from './spoil.js';
import { html, json, type CallKind, type Reply } from './route.js';

/** What an answer needs of the connection that it goes to. */
export interface Line {
  readonly res: ServerResponse;
  /** Drops the connection as a machine does that knows nothing of it. */
  reset(): void;
}

const usualDelayMs = 3000;
/** Timers that are longer end at once. */
const longestDelayMs = 2 ** 31 - 1;

const badGateway =
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>';

const otherShape = '{"status":"success","result":{"items":[]}}';

/** Does what a call asks for and answers it, unless a fault has it otherwise. */
export const answer = async (
  { res, reset }: Line,
  kind: CallKind,
  faults: Faults,
  handle: () => Reply,
): Promise<void> => {
  switch (faults.take(kind, faultsBefore)?.kind) {
    case 'hang':
      return;
    case 'reset-before':
      reset();
      return;
    case 'bad-gateway':
      return write(res, html(502, badGateway));
    case 'throttled':
      return write(res, json(429, { error: { code: 429, message: 'Too Many Requests' } }));
    case undefined:
  }
  const done = handle();
  const spoiled = done.created && faults.take('create', faultsOfVouchers);
  const reply = spoiled ? spoil(done, spoiled.kind) : done;
  // Nothing was done when it was refused, so there is nothing to lose the answer of.
  const after = reply.refused ? undefined : faults.take(kind, faultsAfter);
  switch (after?.kind) {
    case 'slow':
      await pause(Math.min(after.delayMs ?? usualDelayMs, longestDelayMs), undefined, { ref: false });
      return write(res, reply);
    case 'reset-after':
      reset();
      return;
    case 'truncated':
      return cutOff(res, reply);
    case 'wrong-json':
      return write(res, { ...reply, body: otherShape });
    case undefined:
      return write(res, reply);
  }
};

export const write = async (res: ServerResponse, { status, headers, body }: Reply): Promise<void> => {
  if (res.destroyed) return;
  if (typeof body === 'string') {
    res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    return;
  }
  res.writeHead(status, headers);
  await pipeline(Readable.from(body), res);
};

const cutOff = async (res: ServerResponse, { status, headers, body }: Reply): Promise<void> => {
  const bytes = Buffer.from(typeof body === 'string' ? body : [...body].join(''));
  res.writeHead(status, { ...headers, 'content-length': bytes.length });
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  await new Promise((written) => res.write(half, written));
  res.req.socket.destroy();
};
