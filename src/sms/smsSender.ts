import type { SmsConnection } from '../config/smsEnvironment.js';
import { toStoredLine } from '../lib/label.js';
import { publicText } from '../lib/publicText.js';
import { retryAfterOf, type WebhookResponse } from '../webhooks/formats/format.js';
import { makeWebhookSender, SendError, type WebhookSender } from '../webhooks/sender.js';
import type { SsrfGuard } from '../ssrf/ssrfGuard.js';
import { maskPhoneNumber } from './phoneNumber.js';
import { SmsError } from './smsError.js';
import { makeSmsRequest, type SmsValues } from './smsRequest.js';

/** A provider that can be used. */
export interface SmsConfig {
  readonly connection: SmsConnection;
  readonly secret: string | undefined;
}

export interface SmsSender {
  /** Hands an SMS to the provider. Throws `SmsError`. */
  send(config: SmsConfig, values: SmsValues, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Twilio itself answers within 15 seconds, or never. */
export const smsTimeoutMs = 30_000;

/**
 * Each SMS has a connection of its own: one that the provider
 * has just closed would leave it open whether it arrived.
 */
export const makeSmsSender = (guard: SsrfGuard, timeoutMs = smsTimeoutMs): SmsSender => {
  const { send, close } = makeWebhookSender({ guard, timeoutMs, keepAlive: false });
  return {
    send: async (config, values, signal) => {
      const response = await request(send, config, values, signal);
      const error = judge(response, config, values);
      if (error) throw error;
    },
    close,
  };
};

const request = async (
  send: WebhookSender['send'],
  { connection, secret }: SmsConfig,
  values: SmsValues,
  signal: AbortSignal,
): Promise<WebhookResponse> => {
  const { url, message } = makeSmsRequest(connection, secret, values);
  try {
    return await send(url, message, signal);
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    const { reason: attempt, isHandedOver } = error;
    throw isHandedOver
      ? new SmsError({ code: 'not-confirmed', values: { attempt } }, 'unknown')
      : new SmsError({ code: 'not-reached', values: { attempt } }, 'temporary');
  }
};

/** Twilio does not promise that it has done nothing when it answers 500: neither do others. */
const judge = (response: WebhookResponse, config: SmsConfig, values: SmsValues): SmsError | undefined => {
  const { status, body } = response;
  const isGood = status >= 200 && status < 300;
  const { sentText } = config.connection;
  if (isGood && (config.connection.kind === 'twilio' || sentText === null || body.includes(sentText)))
    return undefined;
  const answer = describeAnswer(response, config, values);
  const afterSeconds = retryAfterOf(response);
  const answered = { code: 'answered', values: { answer } } as const;
  if (status === 401) return new SmsError({ code: 'credentials', values: {} }, 'temporary', { answer });
  if (status === 429)
    return new SmsError({ code: 'throttled', values: {} }, 'temporary', { answer, afterSeconds });
  if (status === 503) return new SmsError(answered, 'temporary', { answer, afterSeconds });
  if (status >= 500 || status === 408)
    return new SmsError({ code: 'provider-fault', values: { status } }, 'unknown', { answer });
  if (status >= 300 && status < 400)
    return new SmsError({ code: 'redirected', values: { status } }, 'temporary', { answer });
  // What an operator can correct is tried again: a suspended account, no credit, a wrong address.
  const isCorrectable = [402, 403, 404, 405].includes(status);
  return new SmsError(answered, isCorrectable ? 'temporary' : 'permanent', { answer });
};

const maxAnswerLength = 300;

/** What the provider said, in one line. It may repeat what it was sent. */
const describeAnswer = (
  { status, body }: WebhookResponse,
  { secret, connection }: SmsConfig,
  { to, text }: SmsValues,
): string => {
  const { code, message } = parseTwilioError(body);
  const said = message === undefined ? body : `${code === undefined ? '' : `${code}: `}${message}`;
  const basic = Buffer.from(`${connection.user ?? ''}:${secret ?? ''}`).toString('base64');
  const replaced: (readonly [string | undefined, string])[] = [
    ...([
      [basic, '…'],
      [secret, '…'],
      [secret && encodeURIComponent(secret), '…'],
      [text, '…'],
    ] as const),
    [to, maskPhoneNumber(to)],
    [to.slice(1), maskPhoneNumber(to)],
  ];
  const hidden = replaced.reduce(
    (line, [known, instead]) => (known ? line.replaceAll(known, instead) : line),
    said,
  );
  return toStoredLine(`${String(status)} ${publicText(hidden)}`.trim(), maxAnswerLength);
};

/** Twilio and some others answer {"code": 21211, "message": "…", "more_info": "…", "status": 400}. */
const parseTwilioError = (body: string): { code?: string; message?: string } => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return {};
  }
  if (typeof parsed !== 'object' || parsed === null || !('message' in parsed)) return {};
  const { message } = parsed;
  if (typeof message !== 'string') return {};
  const code = 'code' in parsed && typeof parsed.code === 'number' ? String(parsed.code) : undefined;
  return { message, ...(code !== undefined && { code }) };
};
