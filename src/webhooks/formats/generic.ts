import { createHmac } from 'node:crypto';
import type { System } from '../../lib/system.js';
import { buildJsonMessage } from './content.js';
import { judgeByStatus, type WebhookEvent, type WebhookFormat } from './format.js';

const prefix = 'whsec_';
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

/** Generates a signing secret. */
export const generateSigningSecret = (system: System): string =>
  prefix + system.randomBytes(32).toString('base64');

/** Is this a signing secret, of 24 to 64 bytes? */
export const isValidSigningSecret = (text: string): boolean => {
  const key = keyOf(text);
  // Decoding ignores invalid characters, so only a text that survives the round trip is well-formed.
  return text === prefix + key.toString('base64') && key.length >= 24 && key.length <= 64;
};

/** The signature of Standard Webhooks, version 1. */
export const signMessage = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`;

const judgeOthers = judgeByStatus([]);

const toData = (event: WebhookEvent): object => {
  if (event.type === 'voucher.created') {
    const { count, site, source } = event;
    return { count, site, source };
  }
  const { controller, sites, failure } = event;
  return { controller, sites, ...(failure && { reason: failure.kind }) };
};

/** Standard Webhooks 1.0.0: for programs, so values are sent unchanged. */
export const generic: WebhookFormat = {
  name: 'generic',
  compose: (event, { secrets, now }) => {
    const { id, createdAt, test } = event;
    const { headers, body } = buildJsonMessage({
      type: test ? 'webhook.test' : event.type,
      timestamp: new Date(createdAt).toISOString(),
      data: toData(event),
    });
    const messageId = `msg_${id}`;
    const seconds = Math.floor(now / 1000);
    const signatures = secrets.map((secret) => signMessage(secret, messageId, seconds, body));
    return {
      headers: {
        ...headers,
        'webhook-id': messageId,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatures.join(' '),
      },
      body,
    };
  },
  judge: (answer) =>
    answer.status === 410
      ? { outcome: 'failed', reason: { code: 'answered', values: { status: 410 } }, switchOff: true }
      : judgeOthers(answer),
};
