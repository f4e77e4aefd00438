import type { ServiceDefect } from './serviceDefect.js';

/** In what becomes of an order: for the controller, in the answer, in the list and in the notification. */
export const orderDefects: readonly ServiceDefect[] = [
  {
    name: 'the controller gets the quota in kilobytes',
    file: 'src/controllers/voucherLimits.ts',
    from: `export const pickLimits = ({ maxUses, expireMinutes, down, up, quotaMb }: VoucherLimits): VoucherLimits => ({
  maxUses,
  expireMinutes,
  down,
  up,
  quotaMb,`,
    to: `export const pickLimits = ({ maxUses, expireMinutes, down, up, quotaMb }: VoucherLimits): VoucherLimits => ({
  maxUses,
  expireMinutes,
  down,
  up,
  quotaMb: quotaMb * 1024,`,
  },
  {
    name: 'the speeds of both directions are swapped',
    file: 'src/vouchers/order.ts',
    from: 'down: order.qos.down,\n    up: order.qos.up,',
    to: 'down: order.qos.up,\n    up: order.qos.down,',
  },
  {
    name: 'the date of a name is that of UTC',
    file: 'src/vouchers/record.ts',
    from: '${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}',
    to: '${padTwoDigits(date.getUTCMonth() + 1)}-${padTwoDigits(date.getUTCDate())}',
  },
  {
    name: 'formatted_code loses the zeros at its beginning',
    file: 'src/vouchers/record.ts',
    from: 'const block = codeBlock ?? 5;',
    to: "const block = codeBlock ?? 5;\n  if (code.startsWith('0')) return formatCode(code.replace(/^0+/, ''), codeBlock);",
  },
  {
    name: 'the answer says at most 10000 uses',
    file: 'handlers/createVoucher.ts',
    from: 'max_uses: voucher.maxUses,',
    to: 'max_uses: Math.min(voucher.maxUses, 10_000),',
  },
  {
    name: 'every answer says that it is a repeated one',
    file: 'handlers/createVoucher.ts',
    from: "voucher.replayed ? { 'Idempotency-Replayed': 'true' } : {},",
    to: "{ 'Idempotency-Replayed': 'true' },",
  },
  {
    name: 'an order in progress is answered as one with another body',
    file: 'src/vouchers/idempotency.ts',
    from: 'if (earlier.answer === null) throw inProgressProblem(deadlineMs);',
    to: `if (earlier.answer === null)
      throw deadlineMs > 0 ? new Problem('idempotency_mismatch') : inProgressProblem(deadlineMs);`,
  },
  {
    name: 'a voucher without an id of the controller is none',
    file: 'src/vouchers/record.ts',
    from: "voucher?.code !== undefined && voucher.code !== ''",
    to: "voucher?.code !== undefined && voucher.code !== '' && voucher.id !== null",
  },
  {
    name: 'a voucher without a code is one with an empty code',
    file: 'src/vouchers/createVouchers.ts',
    from: '.slice(0, intent.count).filter(hasCode);',
    to: ".slice(0, intent.count).map((voucher) => ({ ...voucher, code: voucher.code ?? '' }));",
    also: { from: '  hasCode,\n', to: '' },
  },
  {
    name: 'the notification names the id of the site',
    file: 'src/vouchers/record.ts',
    from: `count: created.length,
    site: site.name,`,
    to: `count: created.length,
    site: String(site.id),`,
  },
  {
    name: 'what a controller said is not in the message of 500',
    file: 'src/vouchers/createVouchers.ts',
    from: "new Problem('server_error', { message: publicText(message) }, {}, cause);",
    to: "new Problem('server_error', { message: message && publicText('Interner Fehler') }, {}, cause);",
  },
  {
    name: 'max_uses is listed as the uses that are left',
    file: 'src/vouchers/list.ts',
    from: 'max_uses: voucher.maxUses,',
    to: 'max_uses: voucher.maxUses - voucher.usedCount,',
  },
  {
    name: 'used_count is 1 for every used voucher',
    file: 'src/vouchers/list.ts',
    from: 'used_count: voucher.usedCount,',
    to: 'used_count: Math.min(voucher.usedCount, 1),',
  },
  {
    name: 'listed names are put together from their letters and accents',
    file: 'src/vouchers/list.ts',
    from: 'voucher_name: voucher.name,',
    to: "voucher_name: voucher.name.normalize('NFC'),",
  },
  {
    name: 'expired vouchers are not listed',
    file: 'src/vouchers/voucherTable.ts',
    from: `.where('site_id', siteId)
        .orderBy([`,
    to: `.where('site_id', siteId)
        .whereNot('status', 'expired')
        .orderBy([`,
  },
  {
    name: 'expires_at is cut to the minute',
    file: 'src/vouchers/list.ts',
    from: 'null : toTimestamp(voucher.expiresAt)',
    to: 'null : toTimestamp(Math.floor(voucher.expiresAt / 60_000) * 60_000)',
  },
];
