import { demoName } from '../apiKeys/keyAdministration.js';
import type { Config } from '../config.js';
import { formatCommandLine, toQuotedWord } from '../lib/commandLine.js';
import type { DiagnosedTables } from './tables.js';
import { describeReason } from '../i18n/storedReasons.js';
import { isRiskyDemoKey, isValidAt, recentFailureMs } from './attention.js';
import { describeDuration, formatMoment, sameText, texts, type Finding } from './finding.js';

/** What the checks of records need. */
export interface RecordCheckContext {
  readonly tables: DiagnosedTables;
  readonly now: number;
}

/** Are there keys and sites, and none of a demo where there should be none? */
export const checkKeysAndSites = async ({ tables, now }: RecordCheckContext): Promise<Finding[]> => {
  const keys = (await tables.apiKeys.usable()).filter((key) => isValidAt(key, now));
  const active = (await tables.sites.all()).filter((site) => site.active).length;
  const hasReal = (await tables.controllers.all()).some(({ kind }) => kind !== 'simulated');
  return [
    keys.length > 0
      ? {
          check: 'keys',
          ok: true,
          message: texts(`${String(keys.length)} gültig`, `${String(keys.length)} valid`),
        }
      : {
          check: 'keys',
          ok: false,
          message: texts('keine', 'none'),
          remedy: sameText(formatCommandLine('key create --name N --scope write')),
        },
    active > 0
      ? { check: 'sites', ok: true, message: texts(`${String(active)} aktiv`, `${String(active)} active`) }
      : {
          check: 'sites',
          ok: false,
          message: texts('keiner aktiv', 'none active'),
          remedy: sameText(formatCommandLine('site add --name N --controller C')),
        },
    ...keys
      .filter(({ name }) => name === demoName)
      .map((key) => describeDemoKey(key, isRiskyDemoKey(key, hasReal), hasReal)),
  ];
};

const describeDemoKey = (
  { prefix, expiresAt }: { readonly prefix: string; readonly expiresAt: number | null },
  isRisky: boolean,
  hasReal: boolean,
): Finding => {
  const until =
    expiresAt === null
      ? texts('für immer', 'for ever')
      : texts(
          `bis ${formatMoment(expiresAt)}, wenn keine laufende Demo ihn verlängert`,
          `until ${formatMoment(expiresAt)}, unless a running demo extends it`,
        );
  const message = texts(
    `der Schlüssel ${prefix} einer Demo gilt ${until.de}`,
    `the key ${prefix} of a demo is valid ${until.en}`,
  );
  if (!isRisky) return { check: 'demo', ok: true, message };
  const revoke = formatCommandLine(`key revoke ${prefix}`);
  return {
    check: 'demo',
    ok: false,
    message: texts(
      `${message.de}, auf allen Standorten${hasReal ? ', auch auf denen echter Controller' : ''}`,
      `${message.en}, on all sites${hasReal ? ', those of real controllers too' : ''}`,
    ),
    remedy: texts(`die Demo beenden, und: ${revoke}`, `stop the demo, and: ${revoke}`),
  };
};

/** How long an intent may be open before something is wrong. */
export const intentLimitOf = (
  config: Pick<Config, 'controllerDeadlineMs' | 'reconcileGraceMs' | 'reconcileIntervalMs'>,
): number => config.controllerDeadlineMs + config.reconcileGraceMs + config.reconcileIntervalMs;

/** Are orders settled? */
export const checkIntents = async (
  { tables, now }: RecordCheckContext,
  limitMs: number,
): Promise<Finding> => {
  const check = 'intents';
  const [oldest] = await tables.intents.oldest(1);
  if (!oldest) return { check, ok: true, message: texts('keine offen', 'none open') };
  const open = String(await tables.intents.count());
  const ageMs = now - oldest.createdAt;
  const [age, limit] = [describeDuration(ageMs), describeDuration(limitMs)];
  const message = texts(
    `${open} offen, der älteste seit ${age.de}`,
    `${open} open, the oldest for ${age.en}`,
  );
  return ageMs <= limitMs
    ? { check, ok: true, message }
    : {
        check,
        ok: false,
        message: texts(
          `${message.de}, also länger als ${limit.de}`,
          `${message.en}, which is longer than ${limit.en}`,
        ),
        remedy: texts(
          'der Dienst klärt sie, solange er läuft und ihren Controller erreicht: siehe dort',
          'the service settles them while it runs and can reach their controller: see service and controllers',
        ),
      };
};

/** Do webhooks get what is meant for them? */
export const checkWebhooks = async ({ tables, now }: RecordCheckContext): Promise<Finding[]> => {
  const check = 'webhooks';
  const all = await tables.webhooks.all();
  const nameOf = (id: number): string => toQuotedWord(all.find((webhook) => webhook.id === id)?.name ?? '');
  const problems: Finding[] = all
    .filter(({ reason }) => reason !== null)
    .map(({ name, reason }) => {
      const why = describeReason('attempt', reason);
      const enable = formatCommandLine(`webhook enable ${toQuotedWord(name)}`);
      return {
        check,
        ok: false,
        message: texts(
          `${toQuotedWord(name)} wurde abgeschaltet: ${why.de}`,
          `${toQuotedWord(name)} was switched off: ${why.en}`,
        ),
        remedy: texts(`${enable}, oder ihn entfernen`, `${enable}, or remove it`),
      };
    });
  const { count, last } = await tables.deliveries.failedSince(now - recentFailureMs);
  if (last) {
    const [seen, resend] = [
      formatCommandLine('webhook deliveries --state failed'),
      formatCommandLine(`webhook resend ${String(last.id)}`),
    ];
    const [to, at] = [nameOf(last.webhookId), formatMoment(last.at)];
    const why = describeReason('attempt', last.reason);
    problems.push({
      check,
      ok: false,
      message: texts(
        `${String(count)} ${count === 1 ? 'Zustellung' : 'Zustellungen'} in den letzten 7 Tagen endgültig gescheitert, zuletzt an ${to} um ${at}: ${why.de}`,
        `${String(count)} ${count === 1 ? 'delivery' : 'deliveries'} failed for good in the last 7 days, the last one to ${to} at ${at}: ${why.en}`,
      ),
      remedy: texts(
        `nachsehen, was gescheitert ist, und die Ursache beheben: ${seen}\nnoch einmal senden, was noch gewollt ist: ${resend}`,
        `see what failed, and mend the cause: ${seen}\nsend again what is still wanted: ${resend}`,
      ),
    });
  }
  for (const { webhookId, reason, tries, createdAt } of await tables.deliveries.inTrouble()) {
    const [to, why, age] = [
      nameOf(webhookId),
      describeReason('attempt', reason),
      describeDuration(now - createdAt),
    ];
    problems.push({
      check,
      ok: false,
      message: texts(
        `Zustellungen an ${to} warten seit ${age.de}, nach ${String(tries)} Versuchen: ${why.de}`,
        `deliveries to ${to} have waited for ${age.en}, after ${String(tries)} attempts: ${why.en}`,
      ),
      remedy: sameText(formatCommandLine('webhook deliveries --state waiting')),
    });
  }
  return problems.length > 0
    ? problems
    : [{ check, ok: true, message: texts('keiner hat Schwierigkeiten', 'none failing') }];
};
