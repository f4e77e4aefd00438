import type { FormatName } from '../../src/notifications/format.js';
import type { Delivery } from '../../src/storage/deliveries.js';
import { startWebhookTarget, type TargetRequest } from '../../simulators/webhookTarget.js';
import type { Scenario } from './scenarios.js';
import { makeStage, type Sent } from './stage.js';

/** What came of one scenario. */
export interface Played {
  readonly scenario: Scenario;
  /** The notifications, in the order of the outbox. */
  readonly notifications: readonly string[];
  /** When the first pass was. */
  readonly start: number;
  readonly sent: readonly Sent[];
  /** What reached the target. */
  readonly arrived: readonly TargetRequest[];
  /** What was recorded of each notification. */
  readonly deliveries: readonly Delivery[];
  /** Why the webhook was switched off; undefined while it is not. */
  readonly switchedOff: string | undefined;
}

/** A target that hangs never answers, so its deadline may be short. */
const [short, long] = [400, 15_000];

/** Longer than any schedule. */
const mostPasses = 100;

/** Plays scenarios of one format, one after the other on one database, with a clock that jumps to the next due time. */
export const play = async (
  format: FormatName,
  scenarios: readonly Scenario[],
  databaseUrl: string,
): Promise<Played[]> => {
  let now = Date.parse('2026-11-14T09:30:00.000Z');
  let hangs = (): boolean => false;
  const stage = await makeStage({
    databaseUrl,
    now: () => now,
    deadlineMs: () => (hangs() ? short : long),
  });

  const one = async (scenario: Scenario): Promise<Played> => {
    const { script, otherwise, notifications: howMany } = scenario;
    const target = await startWebhookTarget({ otherwise, now: () => now });
    target.behave(script);
    const before = stage.sent.length;
    hangs = () => (script[stage.sent.length - before - 1] ?? otherwise).does === 'hang';
    const webhookId = await stage.addWebhook(format, `${target.url}/hook`);
    const notifications = await stage.notify(howMany);
    const start = now;
    const deliveries = async (): Promise<Delivery[]> =>
      (await stage.storage.deliveries.newest({ webhookId }, howMany)).reverse();

    for (let passes = 0; passes < mostPasses; passes++) {
      await stage.pass();
      const times = (await deliveries()).filter(({ state }) => state === 'waiting').map(({ at }) => at);
      const next = Math.min(...times.filter((time) => time > now));
      if (!Number.isFinite(next)) break;
      // A millisecond too early nothing may happen.
      now = next - 1;
      await stage.pass();
      now = next;
    }
    const played = {
      scenario,
      notifications,
      start,
      sent: stage.sent.slice(before),
      arrived: [...target.requests],
      deliveries: await deliveries(),
      switchedOff:
        (await stage.storage.webhooks.all()).find(({ id }) => id === webhookId)?.reason ?? undefined,
    };
    await stage.storage.webhooks.remove(webhookId);
    await target.stop();
    return played;
  };

  try {
    const played: Played[] = [];
    for (const scenario of scenarios) played.push(await one(scenario));
    return played;
  } finally {
    await stage.close();
  }
};
