import type { ServiceDefect } from './serviceDefect.js';

/** In what is recorded, listed and remembered. */
export const recordDefects: readonly ServiceDefect[] = [
  {
    name: 'created_at is no RFC 3339 time',
    file: 'src/vouchers/list.ts',
    from: 'toISOString()',
    to: 'toUTCString()',
  },
  {
    name: 'the stored name has no date',
    file: 'src/vouchers/order.ts',
    from: 'buildStoredName(order.name, createdAt)',
    to: "buildStoredName(order.name, createdAt).slice('2026-11-14_'.length)",
  },
  {
    name: 'a new voucher does not renew the cached list',
    file: 'src/vouchers/voucherTable.ts',
    from: '          recorded.map(({ siteId }) => `site:${siteId}` as const),',
    to: `          recorded.map(() => 'site:0' as const),`,
  },
  {
    name: 'inactive sites are listed',
    file: 'src/controllers/siteDirectory.ts',
    from: '.filter((site) => site.active)',
    to: '.filter((site) => site.id > 0)',
  },
  {
    name: 'an inactive site gets vouchers',
    file: 'src/controllers/siteDirectory.ts',
    from: 'findActive: (id) => findUsable(id, ({ active }) => active),',
    to: 'findActive: (id) => findUsable(id, () => true),',
  },
  {
    name: 'an unknown site is answered 400',
    file: 'src/vouchers/order.ts',
    from: `if (!site) throw new Problem('not_found');`,
    to: `if (!site) throw new Problem('invalid_request', { message: 'Site nicht gefunden' });`,
  },
  {
    name: 'API keys share their idempotency keys',
    file: 'src/vouchers/idempotencyKeyTable.ts',
    from: `find: ({ apiKeyId, idempotencyKey }, now) =>
    read('idempotency_keys')
      .where({ api_key_id: apiKeyId, idempotency_key: idempotencyKey })`,
    to: `find: ({ idempotencyKey }, now) =>
    read('idempotency_keys')
      .where({ idempotency_key: idempotencyKey })`,
  },
  {
    name: 'a controller without a voucher is answered 500',
    file: 'src/vouchers/createVouchers.ts',
    from: `throw new Problem('upstream_error', {}, {}, unreadable);`,
    to: `throw serverProblem('Kein Voucher', new Error('no voucher'));`,
  },
  {
    name: '409 lacks Retry-After',
    file: 'src/vouchers/idempotency.ts',
    from: `{ 'Retry-After': String(Math.max(1, Math.ceil(deadlineMs / 1000))) }`,
    to: `deadlineMs > 0 ? {} : { 'Retry-After': '1' }`,
  },
];
