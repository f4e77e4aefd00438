import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { HttpProblem, makeUnavailable } from '../errors/httpProblem.js';
import { ClientGone } from './clientGone.js';
import { CodedError } from '../errors/codedError.js';

/** The body was not complete in time. */
export class BodyTimeout extends CodedError<'body-timeout'> {
  override readonly name = 'BodyTimeout';

  constructor() {
    super('body-timeout', 'the body was not complete in time', { kind: 'invalid' });
  }
}

export interface BodyOptions {
  readonly timeoutMs?: number | undefined;
  /** Called with the size of each piece that comes. False refuses the body: the process holds too much. */
  readonly hasRoom?: ((bytes: number) => boolean) | undefined;
}

/** Reads a body. Without a timeout of its own, it has the time that the server gives to any request. */
export const receiveBody = async (
  req: IncomingMessage,
  res: ServerResponse,
  maxBytes: number,
  { timeoutMs, hasRoom = () => true }: BodyOptions = {},
): Promise<Buffer> => withTimeout(req, readBytes(req, res, maxBytes, hasRoom), timeoutMs);

/**
 * A body as it comes. Refuses one with a length that is too large;
 * one that turns out to be too large while it is read ends with the same error.
 */
export const streamBody = (req: IncomingMessage, res: ServerResponse, maxBytes: number): Readable => {
  refuseIfGone(req);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (req.headers.expect !== undefined) res.writeContinue();
  let size = 0;
  const stream = new Readable({ read: () => void req.resume() });
  // A later reader still gets the error.
  stream.on('error', () => undefined);
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) {
      req.pause().removeAllListeners('data');
      stream.destroy(tooLarge(maxBytes));
    } else if (!stream.push(chunk)) req.pause();
  });
  req.once('end', () => stream.push(null));
  req.once('close', () => {
    if (!req.complete) stream.destroy(new ClientGone());
  });
  return stream;
};

const tooLarge = (maxBytes: number): HttpProblem =>
  new HttpProblem('payload_too_large', {
    limit: maxBytes % 1024 === 0 ? `${String(maxBytes / 1024)} KiB` : `${String(maxBytes)} bytes`,
  });

/** A connection that broke earlier, during another wait, emits no further event. */
const refuseIfGone = (req: IncomingMessage): void => {
  if (req.destroyed && !req.readableEnded) throw new ClientGone();
};

const withTimeout = async <T>(
  req: IncomingMessage,
  read: Promise<T>,
  timeoutMs: number | undefined,
): Promise<T> => {
  if (timeoutMs === undefined) return read;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // What has arrived while the process was busy is read first: that was not the client's fault.
      setImmediate(() => {
        if (req.complete) return;
        req.pause().removeAllListeners('data');
        reject(new BodyTimeout());
      });
    }, timeoutMs);
  });
  return Promise.race([read, timeout]).finally(() => clearTimeout(timer));
};

const readBytes = (
  req: IncomingMessage,
  res: ServerResponse,
  maxBytes: number,
  hasRoom: (bytes: number) => boolean,
): Promise<Buffer> => {
  refuseIfGone(req);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (req.headers.expect !== undefined) res.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes && hasRoom(chunk.length)) {
        chunks.push(chunk);
        return;
      }
      req.pause().removeAllListeners('data');
      reject(size > maxBytes ? tooLarge(maxBytes) : makeUnavailable());
    });
    const gone = (): void => {
      reject(new ClientGone());
    };
    req.once('close', gone);
    req.once('end', () => {
      req.off('close', gone);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
  });
};
