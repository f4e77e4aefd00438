import { systemEffects, newId } from '../../src/effects.js';
import type { NewKey } from '../../src/storage/apiKeys.js';
import type { Intent } from '../../src/storage/intents.js';
import type { Storage } from '../../src/storage/storage.js';
import type { Voucher, VoucherRecord } from '../../src/storage/vouchers.js';

/** 64 bits wide, as every time is. */
export const someTime = Date.parse('2026-11-14T09:30:00.000Z');

export const someKey = (values: Partial<NewKey> = {}): NewKey => ({
  name: 'Buchungssystem',
  prefix: systemEffects.randomBytes(4).toString('hex'),
  hash: systemEffects.randomBytes(32).toString('hex'),
  scope: 'write',
  rateLimit: 60,
  createdAt: someTime,
  expiresAt: null,
  ...values,
});

/** Adds a site on a controller of its own. */
export const addSite = async (
  storage: Storage,
  name = 'Hauptgebäude',
): Promise<{ siteId: number; controllerId: number }> => {
  const controllerId = await storage.controllers.add(
    { name: `controller ${newId(systemEffects)}`, kind: 'simulated', settings: {} },
    someTime,
  );
  const site = { name, active: true, controllerId, controllerSite: null };
  return { siteId: await storage.sites.add(site, someTime), controllerId };
};

export const someIntent = (siteId: number, values: Partial<Intent> = {}): Intent => ({
  id: newId(systemEffects),
  siteId,
  name: '2026-11-14_Familie Berger',
  maxUses: 1,
  expireMinutes: 480,
  down: 0,
  up: 0,
  quotaMb: 0,
  source: 'API: Buchungssystem',
  createdAt: someTime,
  ...values,
});

export const someVoucher = (values: Partial<Voucher> = {}): Voucher => ({
  // No voucher is recorded twice under one name.
  code: String(systemEffects.randomBytes(6).readUIntBE(0, 6) % 10_000_000_000).padStart(10, '0'),
  name: '2026-11-14_Familie Berger',
  maxUses: 1,
  expireMinutes: 480,
  status: 'valid',
  usedCount: 0,
  createdAt: someTime,
  expiresAt: null,
  ...values,
});

export const someRecord = (
  place: { siteId: number; controllerId: number },
  values: Partial<VoucherRecord> = {},
): VoucherRecord => ({
  ...place,
  intentId: newId(systemEffects),
  controllerVoucherId: newId(systemEffects),
  voucher: someVoucher(),
  notification: {
    id: newId(systemEffects),
    count: 1,
    site: 'Hauptgebäude',
    source: 'API: Buchungssystem',
    createdAt: someTime,
  },
  ...values,
});
