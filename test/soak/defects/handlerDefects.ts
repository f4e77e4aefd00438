import type { ServiceDefect } from './serviceDefect.js';

/** In handlers: the wrong answer is made of the right result. */
export const handlerDefects: readonly ServiceDefect[] = [
  {
    name: 'a created voucher is answered 200',
    file: 'handlers/createVoucher.ts',
    from: '    201,',
    to: '    200 as 201,',
  },
  {
    name: 'max_uses and expire_minutes are swapped in the answer',
    file: 'handlers/createVoucher.ts',
    from: `      max_uses: voucher.maxUses,
      expire_minutes: voucher.expireMinutes,`,
    to: `      max_uses: voucher.expireMinutes,
      expire_minutes: voucher.maxUses,`,
  },
  {
    name: 'formatted_code is the code itself',
    file: 'handlers/createVoucher.ts',
    from: 'voucher.formattedCode',
    to: 'voucher.code',
  },
  {
    name: 'site is the id and not the name',
    file: 'handlers/createVoucher.ts',
    from: 'site: voucher.site,',
    to: 'site: String(input.body.site_id),',
  },
  {
    name: 'expire_minutes is answered in hours',
    file: 'handlers/createVoucher.ts',
    from: 'expire_minutes: voucher.expireMinutes',
    to: 'expire_minutes: Math.ceil(voucher.expireMinutes / 60)',
  },
  {
    name: 'a repeated answer lacks Idempotency-Replayed',
    file: 'handlers/createVoucher.ts',
    from: `voucher.replayed ? { 'Idempotency-Replayed': 'true' } : {}`,
    to: '{}',
  },
  {
    name: 'Idempotency-Key is not passed on',
    file: 'handlers/createVoucher.ts',
    from: `input.header['Idempotency-Key']`,
    to: 'undefined',
  },
  {
    name: 'the whole internal voucher is in the answer',
    file: 'handlers/createVoucher.ts',
    from: '      success: true,',
    to: `      ...voucher,
      success: true,`,
  },
  {
    name: 'the list of site 1 is answered for every site',
    file: 'handlers/listVouchers.ts',
    from: 'input.query.site_id',
    to: 'Math.min(1, input.query.site_id)',
  },
];
