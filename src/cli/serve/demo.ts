import { generateApiKey } from '../../apiKeys/apiKeys.js';
import { demoName } from '../../apiKeys/keyAdministration.js';
import type { App } from '../../app/runningApp.js';
import { isSimulatedKind } from '../../controllers/kinds.js';
import { makeProfiles, type ProfileInput } from '../../profiles/profiles.js';
import { draftAudit } from '../../audit/audit.js';
import { makeIntervalJob } from '../../jobs/intervalJob.js';
import type { Log } from '../../log/log.js';
import { nodeSystem } from '../../lib/system.js';
import type { StoredApiKey } from '../../apiKeys/apiKeyTable.js';
import type { Tables } from '../../app/tables.js';
import { formatCommandLine, toQuotedWord, toShellWord } from '../../lib/commandLine.js';
import { CommandError } from '../io.js';

/** How long the key stays valid after a demo was killed. A running demo extends it in time. */
const keyLifetimeMs = 2 * 60_000;
const extendIntervalMs = 20_000;

/** The demo keys that are not revoked. */
export const findDemoKeys = async (tables: Tables): Promise<StoredApiKey[]> =>
  (await tables.apiKeys.usable()).filter(({ name }) => name === demoName);

/** The names of the controllers that create real vouchers. */
export const findRealControllers = async (tables: Tables): Promise<string[]> =>
  (await tables.controllers.all()).filter(({ kind }) => !isSimulatedKind(kind)).map(({ name }) => name);

/** Refuses a demo next to real controllers: its key is printed, and may create vouchers on every site. */
export const refuseDemoWithRealControllers = async (tables: Tables): Promise<void> => {
  const real = await findRealControllers(tables);
  if (real.length > 0)
    throw new CommandError(
      'not-applicable',
      `a demo (npm start, serve --demo) is refused beside real controllers (${real.map(toQuotedWord).join(', ')}), because it prints a key for all sites: start the service without it: ${formatCommandLine('serve')}; or give the demo data of its own with DATA_DIR or DATABASE_URL`,
    );
};

/** Revokes the keys of earlier demos, and returns how many there were. */
export const revokeDemoKeys = async (tables: Tables): Promise<number> => {
  const keys = await findDemoKeys(tables);
  for (const { prefix } of keys) await tables.apiKeys.revoke(prefix, nodeSystem.now());
  return keys.length;
};

/**
 * Extends the key of a demo while this process runs, and revokes it at the end. With `handOver` it is not
 * revoked: in development the next build continues to use it.
 */
export const extendDemoKey = async (
  { tables, now }: Pick<App, 'tables' | 'now'>,
  log: Log,
  { handOver, intervalMs = extendIntervalMs }: { handOver: boolean; intervalMs?: number },
): Promise<{ end(): Promise<void> }> => {
  const [key] = await findDemoKeys(tables);
  if (!key) return { end: () => Promise.resolve() };
  const extend = (): Promise<void> => tables.apiKeys.setExpiry(key.id, now() + keyLifetimeMs);
  const job = makeIntervalJob('extend demo key', extend, intervalMs, log);
  job.start();
  return {
    end: async () => {
      await job.stop();
      if (handOver) return;
      await tables.apiKeys.revoke(key.prefix, now()).catch((error: unknown) => {
        log.warn({ err: error }, 'could not revoke the demo key; it expires on its own');
      });
    },
  };
};

type DemoService = Pick<App, 'tables' | 'publicUrl' | 'socket' | 'now' | 'firstStartUrl'>;

/**
 * Adds a controller, sites, profiles and a key, and returns the text to print. Revokes the keys of earlier
 * demos.
 */
export const prepareDemo = async ({
  tables,
  publicUrl: url,
  socket,
  now,
  firstStartUrl,
}: DemoService): Promise<string> => {
  const { id: siteId, name: siteName } = await ensureDemoSite(tables, now);
  await ensureDemoProfiles(tables, now);
  await revokeDemoKeys(tables);
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  await tables.apiKeys.add({
    name: demoName,
    prefix,
    hash,
    scope: 'write',
    rateLimit: 60,
    createdAt: now(),
    expiresAt: now() + keyLifetimeMs,
  });
  const curl = socket === undefined ? 'curl' : `curl --unix-socket ${toShellWord(socket)}`;
  const firstStart = await firstStartUrl();
  const signIn =
    firstStart === undefined
      ? `Sign in       ${url}/`
      : `Web UI        ${firstStart}\n                creates the first administrator, once, within an hour`;
  return `
voucherd is running, with a simulated controller and a fresh API key.

  ${signIn}
  Reference     ${url}/docs
  Description   ${url}/openapi.php
  Demo site     ${String(siteId)} (${siteName})
  API key       ${key}

Create a voucher:

  ${curl} -H 'Authorization: Bearer ${key}' -d '{"site_id":${String(siteId)},"name":"Familie Berger"}' ${url}/vouchers.php

List the vouchers of the site:

  ${curl} -H 'Authorization: Bearer ${key}' '${url}/vouchers.php?site_id=${String(siteId)}'

The reference shows every operation and tries it. Stop with Ctrl-C. The key ends with the demo; vouchers stay.

`;
};

const demoActor = { kind: 'command line', name: demoName, address: null } as const;

/** What a hotel hands out, by the name that its guests have. */
const demoProfiles: readonly Omit<ProfileInput, 'siteIds'>[] = [
  { name: 'Tagesgast', maxUses: 2, expireMinutes: 24 * 60, down: 20_000, up: 5000, quotaMb: 0 },
  { name: 'Übernachtung', maxUses: 3, expireMinutes: 2 * 24 * 60, down: 0, up: 0, quotaMb: 0 },
  { name: 'Eine Woche', maxUses: 4, expireMinutes: 7 * 24 * 60, down: 0, up: 0, quotaMb: 0 },
  { name: 'Tagung', maxUses: 100, expireMinutes: 3 * 24 * 60, down: 0, up: 0, quotaMb: 0 },
  { name: 'Restaurant', maxUses: 1, expireMinutes: 3 * 60, down: 10_000, up: 2000, quotaMb: 1000 },
];

const ensureDemoProfiles = async (tables: Tables, now: () => number): Promise<void> => {
  if ((await tables.profiles.all()).length > 0) return;
  const profiles = makeProfiles(tables.profiles, { now });
  const ids: number[] = [];
  for (const profile of demoProfiles)
    ids.push((await profiles.add({ ...profile, siteIds: null }, demoActor)).id);
  await profiles.reorder(ids, await profiles.revision(), demoActor);
  await profiles.setDefault(ids[0] ?? null, demoActor);
};

const ensureDemoSite = async (tables: Tables, now: () => number): Promise<{ id: number; name: string }> => {
  const controllers = await tables.controllers.all();
  const controller = controllers.find(({ name }) => name === demoName);
  const controllerId =
    controller?.id ??
    (await tables.controllers.add({ name: demoName, kind: 'simulated', settings: {} }, now()));
  const site = (await tables.sites.all()).find(
    (known) => known.controllerId === controllerId && known.active,
  );
  if (site) return site;
  const add = async (name: string): Promise<{ id: number; name: string }> => {
    const id = await tables.sites.add({ name, active: true, controllerId, controllerSite: null }, now());
    const ssid = 'Hotel Gäste';
    await tables.sites.change(id, { ssid }, draftAudit(demoActor, 'site.change', now(), { ssid }));
    return { id, name };
  };
  const first = await add('Hauptgebäude');
  await add('Nebengebäude');
  return first;
};
