import { createHash, timingSafeEqual } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

/** A session of a guest who is online, as FreeRADIUS recorded it. */
export interface OpenSession {
  readonly nas: string;
  readonly secret: string;
  readonly username: string;
  readonly sessionId: string;
  readonly framedAddress: string | null;
  readonly callingStation: string | null;
}

const codes = { request: 40, ack: 41, nak: 42 } as const;
const headerBytes = 20;
const authenticatorAt = 4;
const [attempts, attemptMs] = [3, 1500];

const attribute = (type: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type, value.length + 2]), value]);

const text = (type: number, value: string | null): Buffer[] =>
  value === null || value === '' ? [] : [attribute(type, Buffer.from(value).subarray(0, 253))];

const address = (type: number, value: string | null): Buffer[] =>
  value !== null && isIP(value) === 4 ? [attribute(type, Buffer.from(value.split('.').map(Number)))] : [];

const md5 = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** A Disconnect-Request of RFC 5176: the session by its user, its id, its address and its device. */
export const encodeDisconnect = (session: OpenSession, id: number): Buffer => {
  const attributes = Buffer.concat([
    ...text(1, session.username),
    ...address(4, session.nas),
    ...address(8, session.framedAddress),
    ...text(31, session.callingStation),
    ...text(44, session.sessionId),
  ]);
  const packet = Buffer.alloc(headerBytes + attributes.length);
  packet.writeUInt8(codes.request, 0);
  packet.writeUInt8(id, 1);
  packet.writeUInt16BE(packet.length, 2);
  attributes.copy(packet, headerBytes);
  md5(packet, session.secret).copy(packet, authenticatorAt);
  return packet;
};

/** What an answer to a request says; undefined when it is none, or not signed with the secret. */
export const readDisconnectAnswer = (
  answer: Buffer,
  request: Buffer,
  secret: string,
): 'ack' | 'nak' | undefined => {
  if (answer.length < headerBytes || answer.readUInt16BE(2) !== answer.length) return undefined;
  const code = answer.readUInt8(0);
  if (answer.readUInt8(1) !== request.readUInt8(1) || (code !== codes.ack && code !== codes.nak))
    return undefined;
  const expected = md5(
    answer.subarray(0, authenticatorAt),
    request.subarray(authenticatorAt, headerBytes),
    answer.subarray(headerBytes),
    secret,
  );
  if (!timingSafeEqual(expected, answer.subarray(authenticatorAt, headerBytes))) return undefined;
  return code === codes.ack ? 'ack' : 'nak';
};

/** Asks an access point to end a session, up to three times. `silent`: it did not answer. */
export const sendDisconnect = (
  session: OpenSession,
  { port, id, signal }: { readonly port: number; readonly id: number; readonly signal: AbortSignal },
): Promise<'ack' | 'nak' | 'silent'> =>
  new Promise((resolve, reject) => {
    const request = encodeDisconnect(session, id);
    const socket = createSocket(isIP(session.nas) === 6 ? 'udp6' : 'udp4');
    let sent = 0;
    const finish = (settle: () => void): void => {
      clearInterval(timer);
      signal.removeEventListener('abort', onAbort);
      socket.close();
      settle();
    };
    const onAbort = (): void => finish(() => resolve('silent'));
    const send = (): void => {
      if (sent === attempts) {
        finish(() => resolve('silent'));
        return;
      }
      sent += 1;
      socket.send(request, port, session.nas);
    };
    const timer = setInterval(send, attemptMs);
    socket.once('error', (error) => finish(() => reject(error)));
    socket.on('message', (message) => {
      const said = readDisconnectAnswer(message, request, session.secret);
      if (said) finish(() => resolve(said));
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else send();
  });
