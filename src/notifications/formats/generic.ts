import { createHmac } from 'node:crypto';
import type { Effects } from '../../effects.js';
import type { Format } from '../format.js';
import { jsonMessage } from './content.js';
import { judgeBy } from './verdict.js';

const prefix = 'whsec_';
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

/** A new signing secret. */
export const newSecret = (effects: Effects): string => prefix + effects.randomBytes(32).toString('base64');

/** Is this a signing secret, of 24 to 64 bytes? */
export const isSecret = (text: string): boolean => {
  const key = keyOf(text);
  // Decoding skips what is not base64, so only what encodes to the same text was well-formed.
  return text === prefix + key.toString('base64') && key.length >= 24 && key.length <= 64;
};

/** The signature of Standard Webhooks, version 1. */
export const sign = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`;

const judgeOthers = judgeBy([]);

/** Standard Webhooks 1.0.0: for programs, so values go out exactly as they are. */
export const generic: Format = {
  name: 'generic',
  compose: ({ id, count, site, source, createdAt, test }, { secrets, now }) => {
    const { headers, body } = jsonMessage({
      type: test ? 'webhook.test' : 'voucher.created',
      timestamp: new Date(createdAt).toISOString(),
      data: { count, site, source },
    });
    const messageId = `msg_${id}`;
    const seconds = Math.floor(now / 1000);
    const signatures = secrets.map((secret) => sign(secret, messageId, seconds, body));
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
      ? { outcome: 'failed', reason: 'answered 410', switchOff: true }
      : judgeOthers(answer),
};
