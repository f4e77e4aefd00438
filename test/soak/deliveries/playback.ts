import { startWebhookTarget, type WebhookTargetRequest } from '../../../simulators/webhookTarget.js';
import { describeReason } from '../../../src/i18n/storedReasons.js';
import type { FormatName } from '../../../src/webhooks/formats/format.js';
import type { Delivery } from '../../../src/webhooks/deliveryTable.js';
import { makeDeliveryHarness, type SentMessage } from './harness.js';
import type { DeliveryScenario } from './scenarios.js';

/** The result of one scenario. */
export interface PlayedScenario {
  readonly scenario: DeliveryScenario;
  /** The notifications, in the order of the outbox. */
  readonly notifications: readonly string[];
  /** The time of the first pass. */
  readonly start: number;
  readonly sent: readonly SentMessage[];
  /** What reached the target. */
  readonly arrived: readonly WebhookTargetRequest[];
  /** The recorded state of each notification. */
  readonly deliveries: readonly Delivery[];
  /** Why the webhook was switched off; undefined if it is active. */
  readonly switchedOff: Delivery['reason'] | undefined;
}

/** A target that hangs never answers, so a short deadline is enough. */
const [short, long] = [400, 600_000];

/** Longer than any schedule. */
const mostPasses = 100;

/** Plays scenarios of one format, one after the other on one database, with a clock that jumps to the next due time. */
export const playScenarios = async (
  format: FormatName,
  scenarios: readonly DeliveryScenario[],
  databaseUrl: string,
): Promise<PlayedScenario[]> => {
  let now = Date.parse('2026-11-14T09:30:00.000Z');
  let hangs = (): boolean => false;
  const stage = await makeDeliveryHarness({
    databaseUrl,
    now: () => now,
    deadlineMs: () => (hangs() ? short : long),
  });

  const one = async (scenario: DeliveryScenario): Promise<PlayedScenario> => {
    const { script, otherwise, notifications: howMany } = scenario;
    const target = await startWebhookTarget({ otherwise, now: () => now });
    target.behave(script);
    const before = stage.sent.length;
    hangs = () => (script[stage.sent.length - before - 1] ?? otherwise).does === 'hang';
    const webhookId = await stage.addWebhook(format, `${target.url}/hook`);
    const notifications = await stage.notify(howMany);
    const start = now;
    const deliveries = async (): Promise<Delivery[]> =>
      (await stage.tables.deliveries.newest({ webhookId }, howMany)).reverse();

    for (let passes = 0; passes < mostPasses; passes++) {
      await stage.pass();
      const times = (await deliveries()).filter(({ state }) => state === 'waiting').map(({ at }) => at);
      const next = Math.min(...times.filter((time) => time > now));
      if (!Number.isFinite(next)) break;
      // Nothing may happen a millisecond early.
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
        (await stage.tables.webhooks.all()).find(({ id }) => id === webhookId)?.reason ?? undefined,
    };
    await stage.tables.webhooks.remove(webhookId);
    await target.stop();
    return played;
  };

  try {
    const played: PlayedScenario[] = [];
    for (const scenario of scenarios) played.push(await one(scenario));
    return played;
  } finally {
    await stage.close();
  }
};

const letter = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

/** What was sent when, since the first pass: `A 0 · A 5 s · B 5 s`. */
const sentCell = ({ sent, notifications, start }: PlayedScenario): string =>
  sent
    .map(
      ({ notification, at }) =>
        `${letter(notifications.indexOf(notification))} ${scheduleDuration(at - start)}`,
    )
    .join(' · ');

/** The result of each notification; equal results are grouped. */
const outcomeCell = ({ deliveries, switchedOff }: PlayedScenario): string => {
  const ends = deliveries.map(({ state, reason }) =>
    reason === null ? state : `${state}: ${describeReason('attempt', reason).en}`,
  );
  const kinds = [...new Set(ends)];
  const texts = kinds.map((end) => {
    const letters = ends.flatMap((other, index) => (other === end ? [letter(index)] : []));
    return `${letters.join(', ')} ${end}`;
  });
  return [...texts, ...(switchedOff === undefined ? [] : ['webhook switched off'])].join('; ');
};

/** One line of the table. */
export const scenarioRow = (
  played: PlayedScenario,
): readonly [target: string, outcome: string, sent: string] => [
  played.scenario.title,
  outcomeCell(played),
  sentCell(played),
];

const units = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A duration as the schedule writes it: `0`, `5 s`, `5 min 5 s`, `64.57 s` as `1 min 4.57 s`. */
const scheduleDuration = (ms: number): string => {
  let rest = ms;
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const count = unit === 's' ? rest / size : Math.floor(rest / size);
    if (count > 0) parts.push(`${String(count)} ${unit}`);
    rest -= count * size;
  }
  return parts.join(' ') || '0';
};
