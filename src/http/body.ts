import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../lib/problem.js';

export const maxBodyBytes = 64 * 1024;

/** The client went away before its request was complete; there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Reads a body as JSON, whatever its content type. `undefined` when it is empty or malformed. */
export const readJson = async (req: IncomingMessage, res: ServerResponse): Promise<unknown> => {
  const bytes = await readBytes(req, res);
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};

const readBytes = (req: IncomingMessage, res: ServerResponse): Promise<Buffer> => {
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw new Problem('payload_too_large');
  if (req.headers.expect !== undefined) res.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) {
        req.pause().removeAllListeners('data');
        reject(new Problem('payload_too_large'));
      } else chunks.push(chunk);
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
