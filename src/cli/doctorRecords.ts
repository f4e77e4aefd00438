import type { Config } from '../config.js';
import { publicText } from '../problem.js';
import type { StoredKey } from '../storage/apiKeys.js';
import type { Clock } from '../storage/databaseClock.js';
import type { Storage } from '../storage/storage.js';
import { isUnbound } from '../secrets.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { commandLine } from './commandLine.js';
import { explain } from './controllerAdvice.js';
import { demoName, realControllers } from './demo.js';
import type { Finding } from './finding.js';
import { counted, plain, time } from './io.js';
import { withControllers } from './liveControllers.js';
import { unboundAdvice, unopened } from './sealing.js';
import { quoted } from './shellWord.js';

/** What is stored: is there all that is needed, and does it work? */
export const examineRecords = async (config: Config, storage: Storage, clock: Clock): Promise<Finding[]> => {
  const now = clock.now();
  const keys = (await storage.apiKeys.usable()).filter(
    ({ expiresAt }) => expiresAt === null || expiresAt > now,
  );
  const sites = (await storage.sites.all()).filter(({ active }) => active);
  return [
    keys.length > 0
      ? { check: 'keys', ok: true, says: `${String(keys.length)} valid` }
      : { check: 'keys', ok: false, says: 'none', advice: commandLine('key create --name N --scope write') },
    sites.length > 0
      ? { check: 'sites', ok: true, says: `${String(sites.length)} active` }
      : {
          check: 'sites',
          ok: false,
          says: 'none active',
          advice: commandLine('site add --name N --controller C'),
        },
    ...(await demo(storage, keys)),
    await intents(config, storage, clock),
    await secrets(config, storage),
    ...(await controllers(config, storage)),
    ...(await webhooks(storage, now)),
  ];
};

/** Whoever saw the start of a demo has its key, which orders on every site there is. */
const demo = async (storage: Storage, valid: readonly StoredKey[]): Promise<Finding[]> => {
  const real = await realControllers(storage);
  return valid
    .filter(({ name }) => name === demoName)
    .map(({ prefix, expiresAt }) => {
      const until =
        expiresAt === null ? 'for ever' : `until ${time(expiresAt)}, unless a running demo extends it`;
      const says = `the key ${prefix} of a demo is valid ${until}`;
      if (expiresAt !== null && real.length === 0) return { check: 'demo', ok: true, says };
      return {
        check: 'demo',
        ok: false,
        says: `${says}, on all sites${real.length > 0 ? ', those of real controllers too' : ''}`,
        advice: `stop the demo, and: ${commandLine(`key revoke ${prefix}`)}`,
      };
    });
};

const intents = async (config: Config, storage: Storage, clock: Clock): Promise<Finding> => {
  const check = 'intents';
  // Oldest first.
  const open = await storage.intents.all();
  const [oldest] = open;
  if (!oldest) return { check, ok: true, says: 'none open' };
  const age = clock.now() - oldest.createdAt;
  const may = config.controllerDeadlineMs + config.reconcileGraceMs + config.reconcileIntervalMs;
  const says = `${String(open.length)} open, the oldest for ${duration(age)}`;
  return age <= may
    ? { check, ok: true, says }
    : {
        check,
        ok: false,
        says: `${says}, which is longer than ${duration(may)}`,
        advice:
          'the service settles them while it runs and can reach their controller: see service and controllers',
      };
};

/** In the largest unit that leaves a number worth reading. */
const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${String(seconds)} s`;
  if (seconds < 7200) return `${String(Math.round(seconds / 60))} min`;
  if (seconds < 172_800) return `${String(Math.round(seconds / 3600))} h`;
  return `${String(Math.round(seconds / 86_400))} days`;
};

const secrets = async (config: Config, storage: Storage): Promise<Finding> => {
  const check = 'secrets';
  try {
    if ((await storage.sealed.all()).some(isUnbound))
      return {
        check,
        ok: false,
        says: 'some have the form of an earlier version',
        advice: unboundAdvice(config),
      };
    const closed = await unopened(storage, () => openStoredSecrets(config));
    const [first] = closed;
    if (!first) return { check, ok: true, says: 'all stored ones open' };
    return {
      check,
      ok: false,
      says: `sealed with another key or for another address: ${closed.map(({ what }) => what).join(', ')}`,
      advice: `put that key back (SECRET_KEY, or secret.key in DATA_DIR), or ${first.wayOut}`,
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

const controllers = (config: Config, storage: Storage): Promise<Finding[]> =>
  withControllers(config, async (registry) =>
    Promise.all(
      (await storage.controllers.all()).map(async (stored): Promise<Finding> => {
        const check = `controller ${stored.name}`;
        try {
          const { version } = await registry.get(stored).probe();
          return { check, ok: true, says: `answers, version ${plain(version)}` };
        } catch (error) {
          return {
            check,
            ok: false,
            ...(explain(error, stored.name) ?? {
              says: publicText(error),
              advice: commandLine(`controller test ${quoted(stored.name)}`),
            }),
          };
        }
      }),
    ),
  );

/** Older failures are history: they are still listed, but nobody has to hear of them every time. */
const recentMs = 7 * 24 * 60 * 60 * 1000;

const webhooks = async (storage: Storage, now: number): Promise<Finding[]> => {
  const check = 'webhooks';
  const all = await storage.webhooks.all();
  const nameOf = (id: number): string => quoted(all.find((webhook) => webhook.id === id)?.name ?? '');
  const troubles: Finding[] = all
    .filter(({ reason }) => reason !== null)
    .map(({ name, reason }) => ({
      check,
      ok: false,
      says: `${quoted(name)} was switched off: ${plain(reason ?? '')}`,
      advice: `${commandLine(`webhook enable ${quoted(name)}`)}, or remove it`,
    }));
  const { count, last } = await storage.deliveries.failedSince(now - recentMs);
  if (last)
    troubles.push({
      check,
      ok: false,
      says: `${counted(count, 'delivery', 'deliveries')} failed for good in the last 7 days, the last one to ${nameOf(last.webhookId)} at ${time(last.at)}: ${plain(last.reason ?? '')}`,
      advice: `see what failed, and mend the cause: ${commandLine('webhook deliveries --state failed')}\nsend again what is still wanted: ${commandLine(`webhook resend ${String(last.id)}`)}`,
    });
  const held = await storage.deliveries.troubled();
  if (held)
    troubles.push({
      check,
      ok: false,
      says: `deliveries to ${nameOf(held.webhookId)} wait: ${plain(held.reason ?? '')}`,
      advice: commandLine('webhook deliveries --state waiting'),
    });
  return troubles.length > 0 ? troubles : [{ check, ok: true, says: 'none in trouble' }];
};
