import type { Property } from './filter.js';
import type { SimulatedSite, SimulatedVoucher } from './vouchers.js';

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const isExpired = ({ expiresAt }: SimulatedVoucher, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/** A voucher as the Integration API shows it: what is not set is left out. */
export const integrationVoucher = (voucher: SimulatedVoucher, now: number): unknown => {
  const { activatedAt, expiresAt, limit, down, up, quotaMb } = voucher;
  return {
    id: voucher.id,
    createdAt: iso(voucher.createdAt),
    name: voucher.name,
    code: voucher.code,
    ...(limit > 0 && { authorizedGuestLimit: limit }),
    authorizedGuestCount: voucher.used,
    ...(activatedAt !== undefined && { activatedAt: iso(activatedAt) }),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    expired: isExpired(voucher, now),
    timeLimitMinutes: voucher.minutes,
    ...(quotaMb > 0 && { dataUsageLimitMBytes: quotaMb }),
    ...(down > 0 && { rxRateLimitKbps: down }),
    ...(up > 0 && { txRateLimitKbps: up }),
  };
};

const equality = ['eq', 'ne', 'in', 'notIn'] as const;
const order = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
const optional = ['isNull', 'isNotNull', ...order] as const;

const set = (limit: number): number | undefined => (limit > 0 ? limit : undefined);

/** What vouchers can be filtered by. */
export const voucherProperties = (
  now: () => number,
): Readonly<Record<string, Property<SimulatedVoucher>>> => ({
  id: { type: 'uuid', functions: equality, value: ({ id }) => id },
  createdAt: { type: 'timestamp', functions: order, value: ({ createdAt }) => createdAt },
  name: { type: 'string', functions: [...equality, 'like'], value: ({ name }) => name },
  code: { type: 'string', functions: equality, value: ({ code }) => code },
  authorizedGuestLimit: { type: 'integer', functions: optional, value: ({ limit }) => set(limit) },
  authorizedGuestCount: { type: 'integer', functions: order, value: ({ used }) => used },
  activatedAt: { type: 'timestamp', functions: order, value: ({ activatedAt }) => activatedAt },
  expiresAt: { type: 'timestamp', functions: order, value: ({ expiresAt }) => expiresAt },
  expired: { type: 'boolean', functions: ['eq', 'ne'], value: (voucher) => isExpired(voucher, now()) },
  timeLimitMinutes: { type: 'integer', functions: order, value: ({ minutes }) => minutes },
  dataUsageLimitMBytes: { type: 'integer', functions: optional, value: ({ quotaMb }) => set(quotaMb) },
  rxRateLimitKbps: { type: 'integer', functions: optional, value: ({ down }) => set(down) },
  txRateLimitKbps: { type: 'integer', functions: optional, value: ({ up }) => set(up) },
});

/** What sites can be filtered by. */
export const siteProperties: Readonly<Record<string, Property<SimulatedSite>>> = {
  id: { type: 'uuid', functions: equality, value: ({ id }) => id },
  internalReference: { type: 'string', functions: equality, value: ({ reference }) => reference },
  name: { type: 'string', functions: equality, value: ({ name }) => name },
};
