import { join } from 'node:path';
import {
  makeDeliveryHarness,
  type DeliveryHarness,
  type DeliveryHarnessOptions,
} from '../soak/deliveries/harness.js';
import {
  startWebhookTarget,
  type WebhookTarget,
  type WebhookTargetOptions,
} from '../../simulators/webhookTarget.js';
import type { Delivery } from '../../src/webhooks/deliveryTable.js';
import { makeClock, type Clock } from './clock.js';
import { putSqliteDatabase } from './databases.js';
import { makeFolder } from './folder.js';

/** A stage of a test's own, with a clock that it moves and targets that end with it. */
export interface TestDeliveryHarness extends DeliveryHarness {
  readonly clock: Clock;
  target(options?: WebhookTargetOptions): Promise<WebhookTarget>;
  /** All deliveries to a webhook, in order. */
  deliveries(webhookId: number): Promise<Delivery[]>;
  /** The notifications that were sent to an address, in order. */
  sentTo(target: WebhookTarget): string[];
  remove(): Promise<void>;
}

export const makeTestDeliveryHarness = async (
  options: Partial<DeliveryHarnessOptions> & { clock?: Clock } = {},
): Promise<TestDeliveryHarness> => {
  const folder = await makeFolder();
  // With all tables: a copy takes a fraction of the migrations.
  if (options.databaseUrl === undefined) await putSqliteDatabase(folder.path);
  const { clock = makeClock(), ...others } = options;
  const stage = await makeDeliveryHarness({
    databaseUrl: `sqlite:${join(folder.path, 'voucherd.sqlite')}`,
    now: clock.now,
    ...others,
  });
  const targets: WebhookTarget[] = [];
  return {
    ...stage,
    clock,
    target: async (how = {}) => {
      const target = await startWebhookTarget({ now: clock.now, ...how });
      targets.push(target);
      return target;
    },
    deliveries: async (webhookId) => (await stage.tables.deliveries.newest({ webhookId }, 10_000)).reverse(),
    sentTo: ({ url }) =>
      stage.sent.filter(({ address }) => address.startsWith(url)).map(({ notification }) => notification),
    remove: async () => {
      // What still hangs ends with its target.
      for (const { stop } of targets) await stop();
      await stage.close();
      await folder.remove();
    },
  };
};
