import { createHash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  encodeDisconnect,
  readDisconnectAnswer,
  sendDisconnects,
  type OpenSession,
} from '../../../src/controllers/radiusSql/disconnect.js';
import { testCases } from '../../support/cases.js';

const secret = 'geheim';
const session = (values: Partial<OpenSession> = {}): OpenSession => ({
  ...{ nas: '127.0.0.1', secret, username: '1234567890', sessionId: 's-1' },
  ...{ framedAddress: '10.0.0.7', callingStation: 'AA-00-00-00-00-01' },
  ...values,
});

/** An answer as RFC 5176 wants it signed. */
const answerTo = (
  request: Buffer,
  {
    code = 41,
    id = request.readUInt8(1),
    attributes = Buffer.alloc(0),
    by = secret,
  }: { code?: number; id?: number; attributes?: Buffer; by?: string } = {},
): Buffer => {
  const head = Buffer.from([code, id, 0, 20 + attributes.length]);
  const signature = createHash('md5')
    .update(Buffer.concat([head, request.subarray(4, 20), attributes, Buffer.from(by)]))
    .digest();
  return Buffer.concat([head, signature, attributes]);
};
const errorCause = (cause: number): Buffer => {
  const attribute = Buffer.from([101, 6, 0, 0, 0, 0]);
  attribute.writeUInt32BE(cause, 2);
  return attribute;
};
const nak = (cause: number) => ({ code: 42, attributes: errorCause(cause) });

test('a request holds the session, and is signed', () => {
  const request = encodeDisconnect(session(), 7);
  expect([...request.subarray(0, 4)]).toEqual([40, 7, 0, request.length]);
  const unsigned = Buffer.from(request).fill(0, 4, 20);
  expect(request.subarray(4, 20)).toEqual(createHash('md5').update(unsigned).update(secret).digest());
  const attributes = new Map<number, string>();
  for (let at = 20; at < request.length; at += request.readUInt8(at + 1))
    attributes.set(request.readUInt8(at), request.toString('latin1', at + 2, at + request.readUInt8(at + 1)));
  expect(Object.fromEntries(attributes)).toEqual({
    1: '1234567890',
    4: '\u007f\u0000\u0000\u0001',
    8: '\n\u0000\u0000\u0007',
    31: 'AA-00-00-00-00-01',
    44: 's-1',
  });
});

test('a session without address and device, and with long values, can be asked for', () => {
  const long = 'ä'.repeat(300);
  const request = encodeDisconnect(
    session({ nas: '::1', framedAddress: null, callingStation: '', sessionId: long }),
    255,
  );
  expect(request.readUInt16BE(2)).toBe(request.length);
  expect(request.length).toBe(20 + 12 + 255);
});

const request = encodeDisconnect(session(), 7);
testCases([
  ['an ACK', answerTo(request), 'ack'],
  ['a NAK without a cause', answerTo(request, { code: 42 }), 'nak'],
  ['a NAK: the session does not exist', answerTo(request, nak(503)), 'gone'],
  ['a NAK: administratively prohibited', answerTo(request, nak(501)), 'nak'],
  [
    'a NAK whose attributes end early',
    answerTo(request, { code: 42, attributes: Buffer.from([101, 9, 0]) }),
    'nak',
  ],
  [
    'a NAK with an attribute of no length',
    answerTo(request, { code: 42, attributes: Buffer.from([101, 0]) }),
    'nak',
  ],
  ['one signed with another secret', answerTo(request, { by: 'falsch' }), undefined],
  ['one to another request', answerTo(encodeDisconnect(session({ sessionId: 'x' }), 7)), undefined],
  ['one with another id', answerTo(request, { id: 8 }), undefined],
  ['one of another kind', answerTo(request, { code: 44 }), undefined],
  ['one that is longer than it says', Buffer.concat([answerTo(request), Buffer.from([1])]), undefined],
  ['one that is too short', answerTo(request).subarray(0, 19), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('of each answer is said what it says', (_, answer, said) =>
  expect(readDisconnectAnswer(answer, request, secret)).toBe(said),
);

let accessPoint: Socket;
let port: number;
let requests: Buffer[];
/** What the access point sends for a request. */
let reply: (request: Buffer) => readonly Buffer[];
const ports = new Set<number>();

beforeEach(async () => {
  requests = [];
  ports.clear();
  reply = (asked) => [answerTo(asked)];
  accessPoint = createSocket('udp4');
  accessPoint.on('message', (asked, from) => {
    requests.push(asked);
    ports.add(from.port);
    for (const answer of reply(asked)) accessPoint.send(answer, from.port, from.address);
  });
  accessPoint.bind(0, '127.0.0.1');
  await once(accessPoint, 'listening');
  ({ port } = accessPoint.address());
});
afterEach(() => void accessPoint.close());

const send = (sessions: readonly OpenSession[], values: { signal?: AbortSignal; attemptMs?: number } = {}) =>
  sendDisconnects(sessions, {
    ...{ port, firstId: 250, signal: new AbortController().signal, attemptMs: 600_000 },
    ...values,
  });
const sessionIdOf = (asked: Buffer): string => /s-\d+/.exec(asked.toString('latin1'))?.[0] ?? '';

test('each of many sessions is asked for, from one socket', async () => {
  const sessions = Array.from({ length: 50 }, (_, nth) => session({ sessionId: `s-${String(nth)}` }));
  reply = (asked) =>
    sessionIdOf(asked) === 's-3'
      ? [answerTo(asked, nak(503))]
      : sessionIdOf(asked) === 's-4'
        ? [answerTo(asked, nak(501))]
        : [answerTo(asked)];
  const answers = await send(sessions);
  expect(answers).toEqual(sessions.map((_, nth) => (nth === 3 ? 'gone' : nth === 4 ? 'nak' : 'ack')));
  expect(ports.size).toBe(1);
  expect(new Set(requests.map((asked) => asked.readUInt8(1))).size).toBe(50);
});

test('a few requests are on their way at a time, however many sessions there are', async () => {
  const answered: (() => void)[] = [];
  let open = 0;
  let most = 0;
  reply = () => [];
  accessPoint.on('message', (asked: Buffer, from) => {
    open += 1;
    most = Math.max(most, open);
    answered.push(() => {
      open -= 1;
      accessPoint.send(answerTo(asked), from.port, from.address);
    });
    // The first are kept waiting until as many as there may be are there.
    if (answered.length >= 8) for (const answer of answered.splice(0)) answer();
  });
  const sessions = Array.from({ length: 48 }, (_, nth) => session({ sessionId: `s-${String(nth)}` }));
  expect(new Set(await send(sessions))).toEqual(new Set(['ack']));
  expect(most).toBe(8);
});

test('forged answers do not count: the true one does', async () => {
  reply = (asked) => [
    answerTo(asked, { by: 'falsch' }),
    answerTo(asked, { code: 42, by: '' }),
    answerTo(asked, { id: (asked.readUInt8(1) + 1) % 256 }),
    Buffer.from([41]),
    Buffer.alloc(0),
    answerTo(asked),
  ];
  expect(await send([session()])).toEqual(['ack']);
});

test('an access point that is silent is asked three times, and not for its other sessions', async () => {
  reply = () => [];
  const answers = await send(
    Array.from({ length: 20 }, () => session()),
    { attemptMs: 1 },
  );
  expect(answers).toEqual(Array.from({ length: 20 }, () => 'silent'));
  // Those that were on their way together.
  expect(requests.length).toBeLessThanOrEqual(3 * 8);
});

test('an answer to a repetition counts', async () => {
  // Only timers of ours.
  jest.useFakeTimers({
    doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  });
  try {
    reply = (asked) => {
      if (requests.length === 3) return [answerTo(asked)];
      jest.advanceTimersByTime(1500);
      return [];
    };
    expect(await send([session()], { attemptMs: 1500 })).toEqual(['ack']);
    expect(requests).toHaveLength(3);
  } finally {
    jest.useRealTimers();
  }
});

test('an abort ends the wait', async () => {
  const controller = new AbortController();
  reply = () => {
    controller.abort();
    return [];
  };
  expect(await send([session(), session()], { signal: controller.signal })).toEqual(['silent', 'silent']);
  expect(await send([session()], { signal: AbortSignal.abort() })).toEqual(['silent']);
});

test('an address that nothing can be sent to is silent', async () => {
  expect(await send([session({ nas: 'not an address' })], { attemptMs: 1 })).toEqual(['silent']);
});
