import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { unavailable } from '../problem.js';
import { ClientGone } from './body.js';

const goneSignals = new WeakMap<Socket, AbortSignal>();

/** Aborts when a connection closes. An answer that is queued behind another one would not hear of it by itself. */
const goneSignal = (socket: Socket): AbortSignal => {
  const known = goneSignals.get(socket);
  if (known) return known;
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  if (socket.destroyed) abort.abort();
  else socket.once('close', () => abort.abort());
  goneSignals.set(socket, abort.signal);
  return abort.signal;
};

/** A signal that aborts once nobody waits for an answer: the client is gone, or the deadline has passed. */
export const awaitedSignal = (res: ServerResponse, leftMs: number): AbortSignal => {
  const gone = goneSignal(res.req.socket);
  if (gone.aborted || res.closed || res.destroyed) return AbortSignal.abort(new ClientGone());
  if (leftMs <= 0) return AbortSignal.abort(unavailable());
  const abort = new AbortController();
  const end = (reason: Error): void => {
    clearTimeout(timer);
    gone.removeEventListener('abort', leave);
    abort.abort(reason);
  };
  const leave = (): void => end(new ClientGone());
  const timer = setTimeout(() => end(unavailable()), leftMs);
  gone.addEventListener('abort', leave, { once: true });
  res.once('close', leave);
  return abort.signal;
};
