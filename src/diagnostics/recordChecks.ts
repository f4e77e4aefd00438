import { demoName } from '../apiKeys/keyAdministration.js';
import type { Config } from '../config/config.js';
import { isSimulatedKind } from '../controllers/kinds.js';
import { formatCommandLine, toQuotedWord } from '../lib/commandLine.js';
import type { DiagnosedTables } from './tables.js';
import { wordMessage, type Message } from '../i18n/messages.js';
import { isRiskyDemoKey, isValidAt, recentFailureMs } from './attention.js';
import { toDuration, type Finding } from './finding.js';

/** What the checks of records need. */
export interface RecordCheckContext {
  readonly tables: DiagnosedTables;
  readonly now: number;
}

/** Are there keys and sites, and none of a demo where there should be none? */
export const checkKeysAndSites = async ({ tables, now }: RecordCheckContext): Promise<Finding[]> => {
  const keys = (await tables.apiKeys.usable()).filter((key) => isValidAt(key, now));
  const active = (await tables.sites.all()).filter((site) => site.active).length;
  const controllers = await tables.controllers.all();
  const hasReal = controllers.some(({ kind }) => !isSimulatedKind(kind));
  return [
    keys.length > 0
      ? {
          check: 'keys',
          ok: true,
          message: { code: 'keys-valid', values: { count: keys.length } },
        }
      : {
          check: 'keys',
          // Many services have none: people order in the web UI.
          ok: true,
          isTodo: true,
          message: { code: 'keys-none', values: {} },
          command: formatCommandLine('key create --name N --scope write'),
        },
    active > 0
      ? { check: 'sites', ok: true, message: { code: 'sites-active', values: { count: active } } }
      : {
          check: 'sites',
          ok: false,
          isTodo: true,
          message: { code: 'sites-none', values: {} },
          command: formatCommandLine(
            controllers.length === 0
              ? 'controller add --name N --kind unifi --url https://192.168.1.1'
              : 'site add --name N --controller C',
          ),
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
  const demoValidity: Message<'demoValidity'> =
    expiresAt === null
      ? { code: 'for-ever', values: {} }
      : { code: 'until', values: { time: { at: expiresAt } } };
  const values = { prefix, demoValidity };
  if (!isRisky) return { check: 'demo', ok: true, message: { code: 'demo-key', values } };
  return {
    check: 'demo',
    ok: false,
    message: { code: hasReal ? 'demo-key-on-real-sites' : 'demo-key-on-all-sites', values },
    remedy: { code: 'demo-key', values: { command: formatCommandLine(`key revoke ${prefix}`) } },
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
  if (!oldest) return { check, ok: true, message: { code: 'intents-none', values: {} } };
  const ageMs = now - oldest.createdAt;
  const values = { count: await tables.intents.count(), duration: toDuration(ageMs) };
  if (ageMs <= limitMs) return { check, ok: true, message: { code: 'intents-open', values } };
  const limit = wordMessage('duration', toDuration(limitMs));
  return {
    check,
    ok: false,
    message: { code: 'intents-overdue', values: { ...values, limit } },
    remedy: { code: 'intents', values: {} },
  };
};

/** Do webhooks get what is meant for them? */
export const checkWebhooks = async ({ tables, now }: RecordCheckContext): Promise<Finding[]> => {
  const check = 'webhooks';
  const all = await tables.webhooks.all();
  const nameOf = (id: number | null): string =>
    toQuotedWord(all.find((webhook) => webhook.id === id)?.name ?? '');
  const problems: Finding[] = all.flatMap(({ name, reason }): Finding[] => {
    if (reason === null) return [];
    const quoted = toQuotedWord(name);
    const command = formatCommandLine(`webhook enable ${quoted}`);
    return [
      {
        check,
        ok: false,
        message: { code: 'webhook-switched-off', values: { name: quoted, attempt: reason } },
        remedy: { code: 'webhook-switched-off', values: { command } },
      },
    ];
  });
  const { count, last } = await tables.outbox.failedSince('webhook', now - recentFailureMs);
  if (last) {
    const values = {
      name: nameOf(last.webhookId),
      time: { at: last.at },
      attempt: last.reason ?? noReason,
    };
    problems.push({
      check,
      ok: false,
      message:
        count === 1
          ? { code: 'delivery-failed', values }
          : { code: 'deliveries-failed', values: { ...values, count } },
      remedy: {
        code: 'deliveries-failed',
        values: {
          list: formatCommandLine('webhook deliveries --state failed'),
          resend: formatCommandLine(`webhook resend ${String(last.id)}`),
        },
      },
    });
  }
  for (const { webhookId, reason, tries, createdAt } of await tables.deliveries.failing())
    problems.push({
      check,
      ok: false,
      message: {
        code: 'deliveries-waiting',
        values: {
          name: nameOf(webhookId),
          duration: toDuration(now - createdAt),
          tries,
          attempt: reason ?? noReason,
        },
      },
      command: formatCommandLine('webhook deliveries --state waiting'),
    });
  return problems.length > 0
    ? problems
    : [{ check, ok: true, message: { code: 'webhooks-fine', values: {} } }];
};

/** There is none before the first attempt has ended. */
const noReason: Message<'attempt'> = { code: 'text', values: { text: '' } };
