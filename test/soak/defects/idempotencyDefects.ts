import type { ServiceDefect } from './serviceDefect.js';

/** In what repeated orders get, and in what is announced of new ones. */
export const idempotencyDefects: readonly ServiceDefect[] = [
  {
    name: 'Idempotency-Keys are compared by their first 64 characters',
    file: 'src/vouchers/order.ts',
    from: '{ apiKeyId, idempotencyKey, fingerprint: fingerprintOrder(sent, order) }',
    to: '{ apiKeyId, idempotencyKey: idempotencyKey.slice(0, 64), fingerprint: fingerprintOrder(sent, order) }',
  },
  {
    name: 'the case of Idempotency-Keys has no meaning',
    file: 'src/vouchers/order.ts',
    from: '{ apiKeyId, idempotencyKey, fingerprint: fingerprintOrder(sent, order) }',
    to: '{ apiKeyId, idempotencyKey: idempotencyKey.toLowerCase(), fingerprint: fingerprintOrder(sent, order) }',
  },
  {
    name: 'Idempotency-Keys are kept for 24 minutes',
    file: 'src/vouchers/idempotencyKeyTable.ts',
    from: '24 * 60 * 60 * 1000',
    to: '24 * 60 * 1000',
  },
  {
    name: 'other limits with the same Idempotency-Key get the first answer',
    file: 'src/vouchers/idempotency.ts',
    from: 'sha256(JSON.stringify(order))',
    to: `sha256(JSON.stringify(order, ['site_id', 'name']))`,
  },
  {
    name: 'an order that failed keeps its Idempotency-Key',
    file: 'src/vouchers/idempotencyKeyTable.ts',
    from: `.whereIn('intent_id', intentIds).whereNull('answer').delete()`,
    to: `.whereIn('intent_id', intentIds).whereNotNull('answer').delete()`,
  },
  {
    name: 'the notification does not say that an API key ordered',
    file: 'src/vouchers/origin.ts',
    from: `api: 'API: ',`,
    to: `api: '',`,
  },
  {
    name: 'the notification counts one voucher too many',
    file: 'src/vouchers/record.ts',
    from: `    count: created.length,
    site: site.name,`,
    to: `    count: created.length + 1,
    site: site.name,`,
  },
];
