import { createHash, timingSafeEqual } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
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
const attempts = 3;
/** How many sessions are ended at a time. */
const maxInFlight = 8;

/** What became of a session: ended, there was none any more, not ended, or no answer. */
export type DisconnectAnswer = 'ack' | 'gone' | 'nak' | 'silent';

/** Error-Cause: Session-Context-Not-Found. */
const errorCause = { type: 101, sessionNotFound: 503 } as const;

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
): DisconnectAnswer | undefined => {
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
  if (code === codes.ack) return 'ack';
  return errorCauseOf(answer.subarray(headerBytes)) === errorCause.sessionNotFound ? 'gone' : 'nak';
};

const errorCauseOf = (attributes: Buffer): number | undefined => {
  for (let at = 0; at + 2 <= attributes.length;) {
    const [type, length] = [attributes.readUInt8(at), attributes.readUInt8(at + 1)];
    if (length < 2 || at + length > attributes.length) return undefined;
    if (type === errorCause.type && length === 6) return attributes.readUInt32BE(at + 2);
    at += length;
  }
  return undefined;
};

interface SendOptions {
  readonly port: number;
  /** The first of the ids that tell the requests apart. */
  readonly firstId: number;
  readonly signal: AbortSignal;
  /** How long an answer may take, before the request is sent again. */
  readonly attemptMs?: number;
}

/**
 * Asks access points to end sessions, each up to three times, and returns what became of each.
 * An access point that did not answer for one session is not asked for its others.
 */
export const sendDisconnects = async (
  sessions: readonly OpenSession[],
  { port, firstId, signal, attemptMs = 1500 }: SendOptions,
): Promise<DisconnectAnswer[]> => {
  const pending = new Map<number, (answer: Buffer) => void>();
  const sockets = new Map<4 | 6, Socket>();
  const socketFor = (address: string): Socket => {
    const version = isIP(address) === 6 ? 6 : 4;
    const socket = sockets.get(version) ?? createSocket(`udp${version}`);
    if (!sockets.has(version)) {
      sockets.set(version, socket);
      // Errors of sending come to its callback.
      socket.on('error', () => undefined);
      socket.on('message', (answer) => {
        if (answer.length > 1) pending.get(answer.readUInt8(1))?.(answer);
      });
    }
    return socket;
  };

  const ask = (session: OpenSession, id: number): Promise<DisconnectAnswer> =>
    new Promise((resolve) => {
      const request = encodeDisconnect(session, id);
      let sent = 0;
      const finish = (answer: DisconnectAnswer): void => {
        clearInterval(timer);
        signal.removeEventListener('abort', onAbort);
        pending.delete(id);
        resolve(answer);
      };
      const onAbort = (): void => finish('silent');
      const send = (): void => {
        if (sent === attempts) {
          finish('silent');
          return;
        }
        sent += 1;
        socketFor(session.nas).send(request, port, session.nas, () => undefined);
      };
      const timer = setInterval(send, attemptMs);
      pending.set(id, (answer) => {
        const said = readDisconnectAnswer(answer, request, session.secret);
        if (said) finish(said);
      });
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else send();
    });

  const silent = new Set<string>();
  const answers: DisconnectAnswer[] = [];
  const waiting = [...sessions.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, session] = next;
      const answer = silent.has(session.nas) ? 'silent' : await ask(session, (firstId + index) % 256);
      if (answer === 'silent') silent.add(session.nas);
      answers[index] = answer;
    }
  };
  try {
    await Promise.all(Array.from({ length: maxInFlight }, work));
  } finally {
    for (const socket of sockets.values()) socket.close();
  }
  return answers;
};
