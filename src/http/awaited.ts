import type { ServerResponse } from 'node:http';
import { unavailable } from '../problem.js';
import { ClientGone } from './body.js';

/** A signal that aborts once nobody waits for an answer: the client is gone, or the deadline has passed. */
export const awaitedSignal = (res: ServerResponse, leftMs: number): AbortSignal => {
  if (res.closed || res.destroyed) return AbortSignal.abort(new ClientGone());
  if (leftMs <= 0) return AbortSignal.abort(unavailable());
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(unavailable()), leftMs);
  res.once('close', () => {
    clearTimeout(timer);
    abort.abort(new ClientGone());
  });
  return abort.signal;
};
