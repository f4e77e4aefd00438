import { once } from 'node:events';
import { Agent as HttpAgent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Response } from 'got';
import { describeReason, type AttemptReason } from '../i18n/storedReasons.js';
import { publicText } from '../lib/publicText.js';
import type { WebhookMessage, WebhookResponse } from './formats/format.js';
import { AddressRefused, type SsrfGuard } from '../ssrf/ssrfGuard.js';
import { CodedError } from '../errors/codedError.js';

export interface WebhookSenderOptions {
  readonly guard: SsrfGuard;
  /** For the whole attempt: name lookup, connection, message and answer. */
  readonly timeoutMs: number;
  /** Are connections used again? They are by default. */
  readonly keepAlive?: boolean;
}

/** Sends messages to webhook targets. */
export interface WebhookSender {
  /** Returns the answer, whatever its status. Throws `SendError` when there was no answer. */
  send(address: string, message: WebhookMessage, signal?: AbortSignal): Promise<WebhookResponse>;
  /** Closes all connections, which aborts messages in flight. */
  close(): Promise<void>;
}

/**
 * Why there was no answer. The original error is not kept as the cause:
 * got's errors contain the address and the headers, which are secrets.
 */
export class SendError extends CodedError<AttemptReason['code']> {
  override readonly name = 'SendError';

  constructor(
    readonly reason: AttemptReason,
    /** Would another attempt fail as well? */
    readonly permanent = false,
    /** Had the target got all of the message? Then it may have acted on it. */
    readonly isHandedOver = false,
  ) {
    super(reason.code, describeReason('attempt', reason).en, { kind: 'unavailable' });
  }
}

/** Why there was no answer. Any other error is unexpected, and says what it says. */
export const reasonOf = (error: unknown): AttemptReason =>
  error instanceof SendError ? error.reason : { code: 'text', values: { text: publicText(error) } };

/** How long the service waits for a target. */
export const sendTimeoutMs = 15_000;

const maxResponseBytes = 4096;

/** A firewall may drop an idle connection silently; the next message over it would then time out. */
const idleMs = 5000;

/** How long an answer is waited for after the signal, once the target has the message. */
const stopGraceMs = 3000;

/** Node's default of 250 ms for each of several addresses is too short for a target on another continent. */
const connectAttemptMs = 2500;

/**
 * Makes a sender. It keeps connections alive, connects only to
 * addresses that the guard has checked, and follows no redirects.
 */
export const makeWebhookSender = ({
  guard,
  timeoutMs,
  keepAlive = true,
}: WebhookSenderOptions): WebhookSender => {
  const agentOptions = {
    keepAlive,
    timeout: idleMs,
    lookup: guard.lookup,
    autoSelectFamilyAttemptTimeout: connectAttemptMs,
  };
  const agent = {
    http: new HttpAgent(agentOptions),
    https: new HttpsAgent({ ...agentOptions, rejectUnauthorized: true }),
  };

  return {
    send: async (address, { method = 'POST', headers, body }, signal) => {
      let isHandedOver = false;
      let abort = (): void => undefined;
      try {
        // Loaded here: a service without webhooks never needs it.
        const { got } = await import('got');
        const stream = got.stream(guard.check(address), {
          method,
          agent,
          ...(method !== 'GET' && { body }),
          headers: { ...headers, 'user-agent': 'voucherd' },
          https: { rejectUnauthorized: true },
          timeout: { request: timeoutMs },
          retry: { limit: 0 },
          followRedirect: false,
          throwHttpErrors: false,
          // The limit counts the bytes that the target sends.
          decompress: false,
        });
        // An error may occur between the head of the answer and
        // the reading of its body, when nothing else listens.
        stream.on('error', () => undefined);
        stream.once('request', (request: ClientRequest) =>
          request.once('finish', () => {
            isHandedOver = true;
          }),
        );
        const end = (): void => void stream.destroy(new Error('stopped'));
        abort = () => {
          if (isHandedOver) setTimeout(end, stopGraceMs);
          else end();
        };
        if (signal?.aborted) abort();
        signal?.addEventListener('abort', abort);
        const [response] = (await once(stream, 'response')) as [Response];
        return {
          status: response.statusCode,
          headers: response.headers,
          body: await readPrefix(stream),
        };
      } catch (error) {
        throw toSendError(error, timeoutMs, isHandedOver);
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    close: async () => {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
};

/**
 * Reads the body up to the limit, then drops the connection.
 * The status alone says whether the target accepted the message,
 * so a body that breaks off or is too slow is no failure: the message would be sent again.
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
    // What has arrived is enough.
  }
  // `stream` drops a character that the limit has cut.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxResponseBytes), { stream: true });
};

/** Reasons by the code of the error. */
const reasonCodes: readonly (readonly [errorCode: RegExp, code: SendFailureCode])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'reset'],
  [/^ENOTFOUND$/, 'unknown-host'],
  [/^EAI_/, 'name-service'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^ETIMEDOUT$/, 'no-connection'],
  [/^HPE_/, 'no-http'],
  [/^(ERR_SSL_|EPROTO$)/, 'tls'],
  [/CERT|CRL|LEAF_SIGNATURE|INVALID_(CA|PURPOSE)|PATH_LENGTH|HOSTNAME_MISMATCH/, 'certificate'],
];

type SendFailureCode =
  | 'refused'
  | 'reset'
  | 'unknown-host'
  | 'name-service'
  | 'unreachable'
  | 'no-connection'
  | 'no-http'
  | 'tls'
  | 'certificate';

const toSendError = (error: unknown, timeoutMs: number, isHandedOver: boolean): SendError => {
  if (error instanceof AddressRefused) return new SendError(error.reason, true);
  // Not permanent: what a name resolves to, and what is allowed, may change.
  const refused = causesOf(error).find((cause) => cause instanceof AddressRefused);
  if (refused !== undefined) return new SendError(refused.reason);
  if (error instanceof Error && error.name === 'TimeoutError')
    return new SendError({ code: 'timeout', values: { seconds: timeoutMs / 1000 } }, false, isHandedOver);
  const errorCode = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [, code = 'other'] = reasonCodes.find(([pattern]) => pattern.test(errorCode)) ?? [];
  return new SendError(
    code === 'tls' || code === 'certificate' ? { code, values: { code: errorCode } } : { code, values: {} },
    false,
    isHandedOver,
  );
};

const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];
