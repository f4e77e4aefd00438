import { randomUUID } from 'node:crypto';
import type { Controller } from '../../src/controllers/controller.js';
import { makeSimulated } from '../../src/controllers/simulated/simulated.js';
import { nodeSystem } from '../../src/lib/system.js';
import type { IdempotencyClaim } from '../../src/vouchers/idempotencyKeyTable.js';
import type { Intent } from '../../src/vouchers/intentTable.js';
import type { StoredSite } from '../../src/sites/siteTable.js';
import type { Clock } from './clock.js';
import { someIntent } from './records.js';
import type { TestService } from './service.js';

/** What a process leaves behind that was killed while it ordered vouchers. */
export interface LostOrders {
  /** An intent whose controller was never asked. */
  intent(siteId: number, values?: Partial<Intent>, claim?: IdempotencyClaim): Promise<Intent>;
  /** What the controller made of an intent, or of an order that nobody here knows of; returns its code. */
  voucher(siteId: number, of: Pick<Intent, 'name' | 'maxUses' | 'expireMinutes'>): Promise<string>;
}

/** Writes where the killed process would have written: the service's intents and the controller's own file. */
export const makeLostOrders = (service: TestService, clock: Clock): LostOrders => {
  const siteOf = async (siteId: number): Promise<StoredSite> => {
    const site = (await service.tables.sites.all()).find(({ id }) => id === siteId);
    if (!site) throw new Error(`no site ${siteId}`);
    return site;
  };
  const connect = (id: number): Controller =>
    makeSimulated({ id, dataDir: service.dataDir, settings: {}, system: { ...nodeSystem, ...clock } });
  return {
    intent: async (siteId, values, claim) => {
      const intent = someIntent(siteId, { createdAt: clock.now(), ...values });
      await service.tables.intents.begin({ intent, claim });
      return intent;
    },
    voucher: async (siteId, { name, maxUses, expireMinutes }) => {
      const { controllerId, controllerSite } = await siteOf(siteId);
      const controller = connect(controllerId);
      try {
        const limits = { maxUses, expireMinutes, down: 0, up: 0, quotaMb: 0 };
        const order = { controllerSite, name, reference: randomUUID(), ...limits };
        const [made] = await controller.create(order, 1);
        return made?.code ?? '';
      } finally {
        await controller.close();
      }
    },
  };
};
