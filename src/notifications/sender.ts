import { once } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import got, { TimeoutError, type Response } from 'got';
import type { WebhookMessage, WebhookResponse } from './formats/format.js';
import { AddressRefused, type SsrfGuard } from './ssrfGuard.js';

export interface WebhookSenderOptions {
  readonly guard: SsrfGuard;
  /** For everything: name, connection, message and answer. */
  readonly timeoutMs: number;
}

/** Sends messages to targets. */
export interface WebhookSender {
  /** Throws `SendError` when no answer came. Any answer is one, whatever its status. */
  send(address: string, message: WebhookMessage): Promise<WebhookResponse>;
  /** Ends every connection, and with it what is being sent. */
  close(): Promise<void>;
}

/**
 * No answer, and why. What the failure came from is not kept as its cause: got's errors hold the address and the
 * headers, which are secrets.
 */
export class SendError extends Error {
  override readonly name = 'SendError';

  constructor(
    message: string,
    /** Would another try fail as well? */
    readonly permanent = false,
  ) {
    super(message);
  }
}

/** How long the service waits for a target. */
export const sendTimeoutMs = 15_000;

const maxResponseBytes = 4096;

/** A firewall may forget a connection that rests; the next message over it would wait for the deadline. */
const idleMs = 5000;

/** Node's own 250 ms for each of several addresses are too few for a target on another continent. */
const connectAttemptMs = 2500;

/** Connections are kept and made to addresses that the guard has checked; redirects are answers like any other. */
export const makeWebhookSender = ({ guard, timeoutMs }: WebhookSenderOptions): WebhookSender => {
  const connecting = {
    keepAlive: true,
    timeout: idleMs,
    lookup: guard.lookup,
    autoSelectFamilyAttemptTimeout: connectAttemptMs,
  };
  const agent = {
    http: new HttpAgent(connecting),
    https: new HttpsAgent({ ...connecting, rejectUnauthorized: true }),
  };

  return {
    send: async (address, { headers, body }) => {
      try {
        const stream = got.stream.post(guard.check(address), {
          agent,
          body,
          headers: { ...headers, 'user-agent': 'voucherd' },
          https: { rejectUnauthorized: true },
          timeout: { request: timeoutMs },
          retry: { limit: 0 },
          followRedirect: false,
          throwHttpErrors: false,
          // What the target sends counts against the limit as it is.
          decompress: false,
        });
        // An error may come while nobody listens: between the answer's head and the reading of its body.
        stream.on('error', () => undefined);
        const [response] = (await once(stream, 'response')) as [Response];
        return {
          status: response.statusCode,
          headers: response.headers,
          body: await readPrefix(stream),
        };
      } catch (error) {
        throw toSendError(error, timeoutMs);
      }
    },
    close: async () => {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
};

/**
 * As much of the body as is wanted; then the connection is dropped. The head alone has said whether the target took
 * the message, so a body that breaks off or comes too slowly is no failure: the message would be sent again.
 */
const readPrefix = async (body: AsyncIterable<unknown>): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxResponseBytes) break;
    }
  } catch {
    // What has come is the answer.
  }
  // `stream` leaves out a character that the limit has cut.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxResponseBytes), { stream: true });
};

const reasons: readonly (readonly [code: RegExp, reason: string | ((code: string) => string)])[] = [
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'connection reset'],
  [/^ENOTFOUND$/, 'name not found'],
  [/^EAI_/, 'name server without an answer'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'host not reachable'],
  [/^ETIMEDOUT$/, 'no connection'],
  [/^HPE_/, 'the answer is not HTTP'],
  [/^(ERR_SSL_|EPROTO$)/, (code) => `TLS failed: ${code}`],
  [
    /CERT|CRL|LEAF_SIGNATURE|INVALID_(CA|PURPOSE)|PATH_LENGTH|HOSTNAME_MISMATCH/,
    (code) => `certificate not trusted: ${code}`,
  ],
];

const toSendError = (error: unknown, deadlineMs: number): SendError => {
  if (error instanceof AddressRefused) return new SendError(error.message, true);
  // What a name resolves to, or what may be reached, can change: the address itself is not to blame.
  const refused = causesOf(error).find((cause) => cause instanceof AddressRefused);
  if (refused !== undefined) return new SendError(refused.message);
  if (error instanceof TimeoutError) return new SendError(`no answer within ${deadlineMs / 1000} s`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [, reason = 'request failed'] = reasons.find(([pattern]) => pattern.test(code)) ?? [];
  return new SendError(typeof reason === 'string' ? reason : reason(code));
};

const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];
