import { boundedTime } from '../../time.js';
import { fieldsOf, numberOf, textOf } from '../connection/reading.js';
import type { ControllerVoucher, VoucherOrder } from '../controller.js';

/** An order in the words of the Integration API; its rx is what the guest receives. What is unlimited is left out. */
export const toRequest = (order: VoucherOrder, count: number) => ({
  count,
  name: order.name,
  timeLimitMinutes: order.expireMinutes,
  ...(order.maxUses > 0 && { authorizedGuestLimit: order.maxUses }),
  ...(order.quotaMb > 0 && { dataUsageLimitMBytes: order.quotaMb }),
  ...(order.down > 0 && { rxRateLimitKbps: order.down }),
  ...(order.up > 0 && { txRateLimitKbps: order.up }),
});

/** Undefined for what is no voucher: it has neither a code, which old versions do not list, nor an id. */
export const toVoucher = (value: unknown): ControllerVoucher | undefined => {
  const fields = fieldsOf(value);
  const id = textOf(fields['id']);
  const code = codeOf(fields['code']);
  if (id === undefined && code === undefined) return undefined;
  return {
    id: id ?? null,
    code,
    name: textOf(fields['name']) ?? '',
    maxUses: numberOf(fields['authorizedGuestLimit']) ?? 0,
    expireMinutes: numberOf(fields['timeLimitMinutes']) ?? 0,
    down: numberOf(fields['rxRateLimitKbps']) ?? 0,
    up: numberOf(fields['txRateLimitKbps']) ?? 0,
    quotaMb: numberOf(fields['dataUsageLimitMBytes']) ?? 0,
    usedCount: numberOf(fields['authorizedGuestCount']) ?? 0,
    createdAt: timeOf(fields['createdAt']) ?? 0,
    expiresAt: timeOf(fields['expiresAt']) ?? null,
    expired: fields['expired'] === true,
  };
};

/** The description's own example is a number, which has lost the zeros it began with. */
const codeOf = (value: unknown): string | undefined => {
  const code = typeof value === 'number' ? String(value).padStart(10, '0') : textOf(value);
  return code === '' ? undefined : code;
};

const timeOf = (value: unknown): number | undefined => {
  const time = Date.parse(textOf(value) ?? '');
  return Number.isNaN(time) ? undefined : boundedTime(time);
};
