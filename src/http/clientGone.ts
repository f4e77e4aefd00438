import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { makeUnavailable } from '../errors/httpProblem.js';
import { CodedError } from '../errors/codedError.js';

/** The client went away before its request was complete; there is nobody to answer. */
export class ClientGone extends CodedError<'client-gone'> {
  override readonly name = 'ClientGone';

  constructor() {
    super('client-gone', 'the client went away');
  }
}

const connectionClosedSignals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when a connection closes. A pipelined response
 * that still waits for its turn gets no event of its own.
 */
const connectionClosedSignal = (socket: Socket): AbortSignal => {
  const known = connectionClosedSignals.get(socket);
  if (known) return known;
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  if (socket.destroyed) abort.abort();
  else socket.once('close', () => abort.abort());
  connectionClosedSignals.set(socket, abort.signal);
  return abort.signal;
};

/** Acts once a response was sent, or nobody waits for it any more. */
export const onceClosed = (res: ServerResponse, act: () => void): void => {
  const closed = connectionClosedSignal(res.req.socket);
  if (closed.aborted || res.closed) {
    act();
    return;
  }
  const close = (): void => {
    res.off('close', close);
    closed.removeEventListener('abort', close);
    act();
  };
  res.once('close', close);
  closed.addEventListener('abort', close);
};

/** Aborts when nobody waits for the response any more: the client is gone, or its deadline has passed. */
export const makeClientSignal = (res: ServerResponse, leftMs: number): AbortSignal => {
  const closed = connectionClosedSignal(res.req.socket);
  if (closed.aborted || res.closed || res.destroyed) return AbortSignal.abort(new ClientGone());
  if (leftMs <= 0) return AbortSignal.abort(makeUnavailable());
  const abort = new AbortController();
  const stop = (): void => {
    clearTimeout(timer);
    closed.removeEventListener('abort', onClose);
  };
  const abortWith = (reason: Error): void => {
    stop();
    abort.abort(reason);
  };
  const onClose = (): void => abortWith(new ClientGone());
  const timer = setTimeout(() => abortWith(makeUnavailable()), leftMs);
  closed.addEventListener('abort', onClose, { once: true });
  res.once('close', () => {
    // Nobody waits for a response that was sent.
    if (res.writableFinished) stop();
    else onClose();
  });
  return abort.signal;
};
