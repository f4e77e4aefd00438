import { newId, nodeSystem } from '../../src/lib/system.js';
import type { NewApiKey } from '../../src/apiKeys/apiKeyTable.js';
import type { Intent } from '../../src/vouchers/intentTable.js';
import type { Tables } from '../../src/app/tables.js';
import type { Voucher, VoucherRecord } from '../../src/vouchers/voucherTable.js';

/** 64 bits wide, as every time is. */
export const someTime = Date.parse('2026-11-14T09:30:00.000Z');

export const someKey = (values: Partial<NewApiKey> = {}): NewApiKey => ({
  name: 'Buchungssystem',
  prefix: nodeSystem.randomBytes(4).toString('hex'),
  hash: nodeSystem.randomBytes(32).toString('hex'),
  scope: 'write',
  rateLimit: 60,
  createdAt: someTime,
  expiresAt: null,
  ...values,
});

/** Adds a site on a controller of its own. */
export const addSite = async (
  tables: Tables,
  name = 'Hauptgebäude',
): Promise<{ siteId: number; controllerId: number }> => {
  const controllerId = await tables.controllers.add(
    { name: `controller ${newId(nodeSystem)}`, kind: 'simulated', settings: {} },
    someTime,
  );
  const site = { name, active: true, controllerId, controllerSite: null };
  return { siteId: await tables.sites.add(site, someTime), controllerId };
};

export const someIntent = (siteId: number, values: Partial<Intent> = {}): Intent => ({
  id: newId(nodeSystem),
  siteId,
  name: '2026-11-14_Familie Berger',
  maxUses: 1,
  expireMinutes: 480,
  down: 0,
  up: 0,
  quotaMb: 0,
  count: 1,
  profileId: null,
  origin: 'api',
  actorName: 'Buchungssystem',
  sealedCodes: null,
  createdAt: someTime,
  ...values,
});

/** No voucher is recorded twice under one name, so no code comes twice: the step has no factor in common with their number. */
const [codes, step] = [10_000_000_000, 7_654_321_987];
let lastCode = nodeSystem.randomBytes(6).readUIntBE(0, 6) % codes;
const nextCode = (): string => {
  lastCode = (lastCode + step) % codes;
  return String(lastCode).padStart(10, '0');
};

export const someVoucher = (values: Partial<Voucher> = {}): Voucher => ({
  code: nextCode(),
  name: '2026-11-14_Familie Berger',
  maxUses: 1,
  expireMinutes: 480,
  status: 'valid',
  usedCount: 0,
  createdAt: someTime,
  expiresAt: null,
  ...values,
});

/** The record of one voucher, or of those given as `vouchers`. */
export const someRecord = (
  place: { siteId: number; controllerId: number },
  {
    voucher = someVoucher(),
    controllerVoucherId = newId(nodeSystem),
    ...values
  }: Partial<VoucherRecord> & { voucher?: Voucher; controllerVoucherId?: string | null } = {},
): VoucherRecord => ({
  ...place,
  intentId: newId(nodeSystem),
  source: 'API: Buchungssystem',
  actorKind: 'key',
  actorName: 'Buchungssystem',
  profileId: null,
  down: 0,
  up: 0,
  quotaMb: 0,
  vouchers: [{ ...voucher, controllerVoucherId }],
  notification: {
    type: 'voucher.created',
    id: newId(nodeSystem),
    count: 1,
    site: 'Hauptgebäude',
    source: 'API: Buchungssystem',
    createdAt: someTime,
  },
  ...values,
});
