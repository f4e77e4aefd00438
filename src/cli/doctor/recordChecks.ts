import { demoName } from '../../access/keys.js';
import type { Config } from '../../config.js';
import { publicText } from '../../lib/problem.js';
import type { Clock } from '../../lib/system.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import { isUnbound } from '../../secrets/secrets.js';
import type { StoredApiKey } from '../../storage/apiKeys.js';
import type { Storage } from '../../storage/storage.js';
import { formatCommandLine, toQuotedWord } from '../commandLine.js';
import { explainControllerError } from '../controller/advice.js';
import { counted, formatTime, sanitizeLine, type CheckResult } from '../io.js';
import { withControllers } from '../openStorage.js';
import { findUnopenableSecrets, unboundAdvice } from '../sealing.js';
import { findRealControllers } from '../serve/demo.js';

/** Checks the stored keys, sites, orders, secrets, controllers and webhooks. */
export const checkRecords = async (
  config: Config,
  storage: Storage,
  clock: Clock,
): Promise<CheckResult[]> => {
  const now = clock.now();
  const keys = (await storage.apiKeys.usable()).filter(
    ({ expiresAt }) => expiresAt === null || expiresAt > now,
  );
  const sites = (await storage.sites.all()).filter(({ active }) => active);
  return [
    keys.length > 0
      ? { check: 'keys', ok: true, says: `${String(keys.length)} valid` }
      : {
          check: 'keys',
          ok: false,
          says: 'none',
          advice: formatCommandLine('key create --name N --scope write'),
        },
    sites.length > 0
      ? { check: 'sites', ok: true, says: `${String(sites.length)} active` }
      : {
          check: 'sites',
          ok: false,
          says: 'none active',
          advice: formatCommandLine('site add --name N --controller C'),
        },
    ...(await checkDemoKeys(storage, keys)),
    await checkIntents(config, storage, clock),
    await checkStoredSecrets(config, storage),
    ...(await checkControllers(config, storage)),
    ...(await checkWebhooks(storage, now)),
  ];
};

/** A demo prints its key, which may create vouchers on every site. */
const checkDemoKeys = async (storage: Storage, valid: readonly StoredApiKey[]): Promise<CheckResult[]> => {
  const real = await findRealControllers(storage);
  return valid
    .filter(({ name }) => name === demoName)
    .map(({ prefix, expiresAt }) => {
      const until =
        expiresAt === null ? 'for ever' : `until ${formatTime(expiresAt)}, unless a running demo extends it`;
      const says = `the key ${prefix} of a demo is valid ${until}`;
      if (expiresAt !== null && real.length === 0) return { check: 'demo', ok: true, says };
      return {
        check: 'demo',
        ok: false,
        says: `${says}, on all sites${real.length > 0 ? ', those of real controllers too' : ''}`,
        advice: `stop the demo, and: ${formatCommandLine(`key revoke ${prefix}`)}`,
      };
    });
};

const checkIntents = async (config: Config, storage: Storage, clock: Clock): Promise<CheckResult> => {
  const check = 'intents';
  const open = await storage.intents.all();
  // They come oldest first.
  const [oldest] = open;
  if (!oldest) return { check, ok: true, says: 'none open' };
  const age = clock.now() - oldest.createdAt;
  const limitMs = config.controllerDeadlineMs + config.reconcileGraceMs + config.reconcileIntervalMs;
  const says = `${String(open.length)} open, the oldest for ${formatDuration(age)}`;
  return age <= limitMs
    ? { check, ok: true, says }
    : {
        check,
        ok: false,
        says: `${says}, which is longer than ${formatDuration(limitMs)}`,
        advice:
          'the service settles them while it runs and can reach their controller: see service and controllers',
      };
};

/** A duration in seconds, minutes, hours or days. */
const formatDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${String(seconds)} s`;
  if (seconds < 7200) return `${String(Math.round(seconds / 60))} min`;
  if (seconds < 172_800) return `${String(Math.round(seconds / 3600))} h`;
  return `${String(Math.round(seconds / 86_400))} days`;
};

const checkStoredSecrets = async (config: Config, storage: Storage): Promise<CheckResult> => {
  const check = 'secrets';
  try {
    if ((await storage.sealed.all()).some(isUnbound))
      return {
        check,
        ok: false,
        says: 'some have the form of an earlier version',
        advice: unboundAdvice(config),
      };
    const unopenable = await findUnopenableSecrets(storage, () => openStoredSecrets(config));
    const [first] = unopenable;
    if (!first) return { check, ok: true, says: 'all stored ones open' };
    return {
      check,
      ok: false,
      says: `sealed with another key or for another address: ${unopenable.map(({ what }) => what).join(', ')}`,
      advice: `put that key back (SECRET_KEY, or secret.key in DATA_DIR), or ${first.remedy}`,
    };
  } catch (error) {
    return {
      check,
      ok: false,
      says: publicText(error),
      advice: 'put back SECRET_KEY, or secret.key in DATA_DIR',
    };
  }
};

const checkControllers = (config: Config, storage: Storage): Promise<CheckResult[]> =>
  withControllers(config, async (registry) =>
    Promise.all(
      (await storage.controllers.all()).map(async (stored): Promise<CheckResult> => {
        const check = `controller ${stored.name}`;
        try {
          const { version } = await registry.get(stored).probe();
          return { check, ok: true, says: `answers, version ${sanitizeLine(version)}` };
        } catch (error) {
          return {
            check,
            ok: false,
            ...(explainControllerError(error, stored.name) ?? {
              says: publicText(error),
              advice: formatCommandLine(`controller test ${toQuotedWord(stored.name)}`),
            }),
          };
        }
      }),
    ),
  );

/** Older failures are listed by `webhook deliveries`, but no longer reported. */
const recentMs = 7 * 24 * 60 * 60 * 1000;

const checkWebhooks = async (storage: Storage, now: number): Promise<CheckResult[]> => {
  const check = 'webhooks';
  const all = await storage.webhooks.all();
  const nameOf = (id: number): string => toQuotedWord(all.find((webhook) => webhook.id === id)?.name ?? '');
  const problems: CheckResult[] = all
    .filter(({ reason }) => reason !== null)
    .map(({ name, reason }) => ({
      check,
      ok: false,
      says: `${toQuotedWord(name)} was switched off: ${sanitizeLine(reason ?? '')}`,
      advice: `${formatCommandLine(`webhook enable ${toQuotedWord(name)}`)}, or remove it`,
    }));
  const { count, last } = await storage.deliveries.failedSince(now - recentMs);
  if (last)
    problems.push({
      check,
      ok: false,
      says: `${counted(count, 'delivery', 'deliveries')} failed for good in the last 7 days, the last one to ${nameOf(last.webhookId)} at ${formatTime(last.at)}: ${sanitizeLine(last.reason ?? '')}`,
      advice: `see what failed, and mend the cause: ${formatCommandLine('webhook deliveries --state failed')}\nsend again what is still wanted: ${formatCommandLine(`webhook resend ${String(last.id)}`)}`,
    });
  const retried = await storage.deliveries.oldestRetried();
  if (retried)
    problems.push({
      check,
      ok: false,
      says: `deliveries to ${nameOf(retried.webhookId)} wait: ${sanitizeLine(retried.reason ?? '')}`,
      advice: formatCommandLine('webhook deliveries --state waiting'),
    });
  return problems.length > 0 ? problems : [{ check, ok: true, says: 'none in trouble' }];
};
