import type { ServiceDefect } from './serviceDefect.js';

/** In handlers: the wrong answer is made of the right result. */
export const handlerDefects: readonly ServiceDefect[] = [
  {
    name: 'max_uses and expire_minutes are swapped in the answer',
    file: 'handlers/createVoucher.ts',
    from: `      max_uses: voucher.maxUses,
      expire_minutes: voucher.expireMinutes,`,
    to: `      max_uses: voucher.expireMinutes,
      expire_minutes: voucher.maxUses,`,
  },
  {
    name: 'site is the id and not the name',
    file: 'handlers/createVoucher.ts',
    from: 'site: voucher.site,',
    to: 'site: String(input.body.site_id),',
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
];
