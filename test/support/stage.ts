import { join } from 'node:path';
import { makeStage, type Stage, type StageOptions } from '../../scripts/show/stage.js';
import {
  startWebhookTarget,
  type TargetOptions,
  type WebhookTarget,
} from '../../simulators/webhookTarget.js';
import type { Delivery } from '../../src/storage/deliveries.js';
import { makeClock, type Clock } from './clock.js';
import { makeFolder } from './folder.js';

/** A stage of a test's own, with a clock that it moves and targets that end with it. */
export interface TestStage extends Stage {
  readonly clock: Clock;
  target(options?: TargetOptions): Promise<WebhookTarget>;
  /** All deliveries to a webhook, in order. */
  deliveries(webhookId: number): Promise<Delivery[]>;
  /** The notifications that were sent to an address, in order. */
  sentTo(target: WebhookTarget): string[];
  remove(): Promise<void>;
}

export const makeTestStage = async (
  options: Partial<StageOptions> & { clock?: Clock } = {},
): Promise<TestStage> => {
  const folder = await makeFolder();
  const { clock = makeClock(), ...others } = options;
  const stage = await makeStage({
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
    deliveries: async (webhookId) => (await stage.storage.deliveries.newest({ webhookId }, 10_000)).reverse(),
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
