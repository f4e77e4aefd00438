import type { Tables } from '../../app/tables.js';
import type { Config } from '../../config/config.js';
import { toDuration } from '../../diagnostics/finding.js';
import { formatMoment, wordIn } from '../../i18n/messages.js';
import { describeReason } from '../../i18n/storedReasons.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { hourMs, hourOf } from '../../apiKeys/hourlyCounter.js';
import { sanitizeLine } from '../../lib/label.js';
import { describeOrderReason } from '../../vouchers/orderReasons.js';
import { counted, type CheckResult } from '../io.js';

/** E-mails and SMS are sent within seconds. One that waits for so long is retried, or nobody sends it. */
const maxOutboxWaitMs = 600_000;
/** A pass may be missed; after so many, something is wrong. */
const maxMissedPasses = 5;
/** Fewer are people who mistype. */
const manySignIns = 20;
/** Entries of the audit log that are added up; each stands for many equal ones. */
const maxAuditEntries = 1000;

interface LastHourOptions extends Pick<Config, 'syncIntervalMs'> {
  /** Does the service answer? Without it, all that it does is behind. */
  readonly isServing: boolean;
}

type Trouble = Pick<CheckResult, 'message' | 'remedy'> | undefined;

/**
 * Shows what went wrong in the last hour, from what is
 * recorded. It may be over, so none of it fails the check.
 */
export const checkLastHour = async (
  tables: Tables,
  now: number,
  options: LastHourOptions,
): Promise<CheckResult[]> => {
  const since = now - hourMs;
  const troubles = [
    await findFailedRequests(tables, since),
    await findFailedOrders(tables, since),
    ...(await findOutages(tables, now)),
    await findFailedDeliveries(tables, since),
    await findFailedEmails(tables, since),
    await findFailedSms(tables, since),
    await findRefusedSignIns(tables, since),
    ...(options.isServing
      ? [
          ...(await findBehindSyncs(tables, now, options)),
          await findWaitingEmails(tables, now),
          await findWaitingSms(tables, now),
        ]
      : []),
  ].filter((trouble) => trouble !== undefined);
  const check = 'last hour';
  return troubles.length === 0
    ? [{ check, ok: true, message: 'nothing went wrong' }]
    : troubles.map((trouble) => ({ check, ok: true, level: 'warning', ...trouble }));
};

const wordDuration = (ms: number): string => wordIn('en', 'duration', toDuration(ms));

const findFailedRequests = async ({ keyUsage }: Tables, since: number): Promise<Trouble> => {
  const hours = (await keyUsage.since(hourOf(since))).filter(({ failures }) => failures > 0);
  const count = hours.reduce((sum, { failures }) => sum + failures, 0);
  const [first] = hours;
  if (!first) return undefined;
  return {
    message: `${counted(count, 'request')} of the API ended in an unexpected error (500) since ${formatMoment(first.hour)}`,
    remedy: 'see the log of the service: "request failed"',
  };
};

const findOutages = async ({ controllers, controllerOutages }: Tables, now: number): Promise<Trouble[]> => {
  const outages = await controllerOutages.current();
  if (outages.length === 0) return [];
  const names = new Map((await controllers.all()).map(({ id, name }) => [id, name]));
  return outages.map(({ controllerId, since }) => {
    const name = toQuotedWord(names.get(controllerId) ?? '');
    return {
      message: `${name} could not be reached for ${wordDuration(Math.max(0, now - since))}`,
      remedy: formatCommandLine(`controller test ${name}`),
    };
  });
};

const findFailedOrders = async ({ orders }: Tables, since: number): Promise<Trouble> => {
  const { count, last } = await orders.failedSince(since);
  if (!last) return undefined;
  const reason = last.reason === null ? '' : `: ${describeOrderReason(last.reason).en}`;
  return {
    message: sanitizeLine(
      `${counted(count, 'order')} of the web UI got no voucher, the last one at ${formatMoment(last.createdAt)} for site ${String(last.siteId)}${reason}`,
    ),
    remedy: formatCommandLine('controller list'),
  };
};

const findFailedDeliveries = async ({ outbox, webhooks }: Tables, since: number): Promise<Trouble> => {
  const { count, last } = await outbox.failedSince('webhook', since);
  if (!last) return undefined;
  const name = (await webhooks.all()).find(({ id }) => id === last.webhookId)?.name ?? '';
  return {
    message: sanitizeLine(
      `${counted(count, 'delivery', 'deliveries')} failed for good, the last one to ${toQuotedWord(name)} at ${formatMoment(last.at)}: ${describeReason('attempt', last.reason).en}`,
    ),
    remedy: formatCommandLine('webhook deliveries --state failed'),
  };
};

const findFailedEmails = async ({ outbox }: Tables, since: number): Promise<Trouble> => {
  const { count, last } = await outbox.failedSince('email', since);
  if (!last) return undefined;
  return {
    // Addresses of guests are not shown.
    message: sanitizeLine(
      `${counted(count, 'e-mail')} could not be sent, the last one at ${formatMoment(last.at)}: ${describeReason('email', last.reason).en}`,
    ),
    remedy: 'check SMTP_URL if it is not the address of one guest',
  };
};

const findWaitingEmails = async ({ outbox }: Tables, now: number): Promise<Trouble> => {
  const [queue] = await outbox.queues('email');
  if (!queue || now - queue.oldestAt <= maxOutboxWaitMs) return undefined;
  const { waiting, oldestAt } = queue;
  return {
    message: `${counted(waiting, 'e-mail waits', 'e-mails wait')}, the oldest for ${wordDuration(now - oldestAt)}`,
    remedy: 'check SMTP_URL, and see the log of the service',
  };
};

const findFailedSms = async ({ outbox }: Tables, since: number): Promise<Trouble> => {
  const { count, last } = await outbox.failedSince('sms', since);
  if (!last) return undefined;
  return {
    // Numbers of guests are not shown.
    message: sanitizeLine(
      `${String(count)} SMS could not be sent, the last one at ${formatMoment(last.at)}: ${describeReason('sms', last.reason).en}`,
    ),
    remedy: 'send a test on the page SMS if it is not the number of one guest',
  };
};

const findWaitingSms = async ({ outbox }: Tables, now: number): Promise<Trouble> => {
  const [queue] = await outbox.queues('sms');
  if (!queue || now - queue.oldestAt <= maxOutboxWaitMs) return undefined;
  const { waiting, oldestAt } = queue;
  return {
    message: `${String(waiting)} SMS ${waiting === 1 ? 'waits' : 'wait'}, the oldest for ${wordDuration(now - oldestAt)}`,
    remedy: 'send a test on the page SMS, and see the log of the service',
  };
};

const findRefusedSignIns = async ({ auditLog }: Tables, since: number): Promise<Trouble> => {
  const actions = ['user.sign-in-refused', 'user.sign-in-throttled'] as const;
  const entries = await auditLog.newest({ from: since, actions }, undefined, maxAuditEntries);
  const total = entries.reduce((sum, { count }) => sum + count, 0);
  if (total < manySignIns) return undefined;
  const addresses = new Set(entries.flatMap(({ address }) => address ?? []));
  return {
    message: `${String(total)} sign-ins were refused, from ${counted(addresses.size, 'address', 'addresses')}`,
    remedy:
      'see the audit log in the web UI; behind a proxy, check TRUST_PROXY when all come from one address',
  };
};

const findBehindSyncs = async (
  { controllers, sites }: Tables,
  now: number,
  { syncIntervalMs }: LastHourOptions,
): Promise<Trouble[]> => {
  if (syncIntervalMs === 0) return [];
  const used = new Set((await sites.all()).map(({ controllerId }) => controllerId));
  const stored = (await controllers.all()).filter(({ id }) => used.has(id));
  const times = await controllers.lastSyncs(stored.map(({ id }) => id));
  return stored.flatMap(({ name }, index) => {
    const at = times[index] ?? null;
    // One that was never compared was just added, or is reported as not answering.
    if (at === null || now - at <= maxMissedPasses * syncIntervalMs) return [];
    return [
      {
        message: `vouchers of ${toQuotedWord(name)} were last compared ${wordDuration(now - at)} ago`,
        remedy: formatCommandLine(`sync ${toQuotedWord(name)}`),
      },
    ];
  });
};
