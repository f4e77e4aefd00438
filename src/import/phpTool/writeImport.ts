import { draftAudit } from '../../audit/audit.js';
import type { AuditAction, AuditDraft } from '../../audit/auditTable.js';
import { importApiKeys } from '../../apiKeys/apiKeyTable.js';
import { Refusal } from '../../errors/problem.js';
import type { Profile } from '../../profiles/profiles.js';
import { importSites } from '../../sites/siteImportTable.js';
import { toUserKey } from '../../users/names.js';
import { findUnimported, importVouchers, type ImportedVoucher } from '../../vouchers/voucherImportTable.js';
import { listIds } from './findings.js';
import { findFreeName, takeFreeName } from './freeName.js';
import { toImportCount, type ImportCount, type ImportDeps } from './importDeps.js';
import { findControllersOf, findWebhookOf } from './present.js';
import type { ImportPlan } from './plan.js';
import type { PlannedController, PlannedSite } from './planControllers.js';
import type { PlannedVoucher } from './planVouchers.js';
import { ImportError } from './sourceRows.js';
import { writeUsers } from './writeUsers.js';

export interface ImportResult {
  readonly controllers: ImportCount;
  readonly sites: ImportCount;
  readonly keys: ImportCount;
  readonly users: ImportCount;
  readonly profiles: ImportCount;
  readonly webhooks: ImportCount;
  readonly vouchers: ImportCount;
  readonly notes: readonly string[];
}

const kind = 'unifi-classic';
const voucherBatch = 500;

/**
 * Adds what is not there yet, step by step. Each step is a transaction, or many small ones,
 * and finds what an earlier run has added, so a run that was killed is completed by the next one.
 * Nothing that is there is changed. Throws `ImportError` before it writes anything.
 */
export const writeImport = async (plan: ImportPlan, deps: ImportDeps): Promise<ImportResult> => {
  const notes: string[] = [];
  const known = await findControllers(plan, deps, notes);
  const newSites = await findNewSites(plan, known, deps);
  const controllers = await addControllers(plan, known, deps);
  const audit = (action: AuditAction): AuditDraft => draftAudit(deps.actor, action, deps.clock.now());
  if (!deps.dryRun)
    await importSites(
      deps.database,
      newSites.map((site) => ({
        ...site,
        controllerId: known.get(site.controller) ?? 0,
        createdAt: site.createdAt ?? deps.clock.now(),
      })),
      audit('site.add'),
    );
  const keys = await addKeys(plan, deps, audit('key.create'), notes);
  const users = await writeUsers(plan.users, deps, notes);
  const profiles = await addProfiles(plan, deps);
  const webhooks = await addWebhook(plan, deps, notes);
  const vouchers = await addVouchers(plan.vouchers, known, deps);
  return {
    controllers,
    sites: toImportCount(newSites.length, plan.sites.length),
    keys,
    users,
    profiles,
    webhooks,
    vouchers,
    notes: [...plan.notes, ...notes],
  };
};

type KnownControllers = Map<PlannedController, number>;

const findControllers = async (
  plan: ImportPlan,
  { tables, secrets }: ImportDeps,
  notes: string[],
): Promise<KnownControllers> => {
  const found = findControllersOf(plan.controllers, await tables.controllers.all(), secrets);
  const changed = found.filter(({ hasSamePassword }) => !hasSamePassword);
  if (changed.length > 0)
    notes.push(
      `these controllers have another password here than in the tool, and keep it: ${changed.map(({ stored }) => stored.name).join(', ')}`,
    );
  return new Map(found.map(({ planned, stored }) => [planned, stored.id]));
};

/**
 * Refuses ids that other sites have: clients would order vouchers at the wrong site.
 * Also sites that have another id here: there would be two for one site of a console.
 */
const findNewSites = async (
  plan: ImportPlan,
  known: KnownControllers,
  { tables }: ImportDeps,
): Promise<PlannedSite[]> => {
  const all = await tables.sites.all();
  const stored = new Map(all.map((site) => [site.id, site]));
  const taken = plan.sites.filter((site) => {
    const other = stored.get(site.id);
    return (
      other &&
      (other.controllerId !== known.get(site.controller) || other.controllerSite !== site.controllerSite)
    );
  });
  if (taken.length > 0)
    throw new ImportError(
      'ids-taken',
      `nothing was imported: these ids belong to other sites here, and clients could not tell them apart; import into a new database: ${listIds(taken)}`,
    );
  const added = plan.sites.filter(({ id }) => !stored.has(id));
  const renumbered = added.flatMap((site) => {
    const other = all.find(
      ({ controllerId, controllerSite }) =>
        controllerId === known.get(site.controller) && controllerSite === site.controllerSite,
    );
    return other ? [`${String(site.id)} is ${String(other.id)} here`] : [];
  });
  if (renumbered.length > 0)
    throw new ImportError(
      'ids-taken',
      `nothing was imported: these sites are here already, with other ids than clients of the tool use; import into a new database: ${renumbered.slice(0, 20).join(', ')}`,
    );
  return added;
};

/** As `controller add` does. Each looks for its console, which may be silent, so several do so at a time. */
const addControllers = async (
  plan: ImportPlan,
  known: KnownControllers,
  deps: ImportDeps,
): Promise<ImportCount> => {
  const missing = plan.controllers.filter((controller) => !known.has(controller));
  if (deps.dryRun) return toImportCount(missing.length, plan.controllers.length);
  const names = new Set((await deps.tables.controllers.all()).map(({ name }) => name));
  const named = missing.map((controller) => ({ controller, name: takeFreeName(controller.name, names) }));
  let done = 0;
  const add = async ({ controller, name }: (typeof named)[number]): Promise<void> => {
    const { address, username, password } = controller;
    const id = await deps.controllers.add(
      {
        name,
        kind,
        settings: { all: { url: address } },
        // The tool may have two accounts on one console.
        force: true,
        readCredentials: () => Promise.resolve({ username, password }),
      },
      deps.actor,
    );
    known.set(controller, id);
    deps.onProgress('controllers', (done += 1), missing.length);
  };
  // The first may have to create the secret key.
  for (const first of named.slice(0, 1)) await add(first);
  for (let start = 1; start < named.length; start += parallelControllers)
    await Promise.all(named.slice(start, start + parallelControllers).map(add));
  return toImportCount(missing.length, plan.controllers.length);
};

const parallelControllers = 8;

const addKeys = async (
  plan: ImportPlan,
  deps: ImportDeps,
  audit: AuditDraft,
  notes: string[],
): Promise<ImportCount> => {
  const stored = await deps.tables.apiKeys.all();
  const hashes = new Set(stored.map(({ hash }) => hash));
  const missing = plan.keys.filter(({ hash }) => !hashes.has(hash));
  const ids = new Set(stored.map(({ id }) => id));
  const moved = missing.filter(({ id }) => ids.has(id));
  if (moved.length > 0)
    notes.push(
      `these ids of API keys are taken here, so the keys get other ids; clients do not notice: ${listIds(moved)}`,
    );
  let last = Math.max(0, ...ids, ...plan.keys.map(({ id }) => id));
  const now = deps.clock.now();
  if (!deps.dryRun)
    await importApiKeys(
      deps.database,
      missing.map(({ active, createdAt, ...key }) => ({
        ...key,
        id: ids.has(key.id) ? (last += 1) : key.id,
        createdAt: createdAt ?? now,
        revokedAt: active ? null : now,
        expiresAt: null,
      })),
      audit,
    );
  return toImportCount(missing.length, plan.keys.length);
};

/** A name that is taken gets a number, unless the profile there is the same. */
const addProfiles = async ({ templates }: ImportPlan, deps: ImportDeps): Promise<ImportCount> => {
  const stored = await deps.tables.profiles.all();
  const byKey = new Map(stored.map((profile) => [toUserKey(profile.name), profile]));
  const used = new Set<string>();
  let added = 0;
  for (const { name: wanted, maxUses, expireMinutes, down, up, quotaMb } of templates) {
    const limits = { maxUses, expireMinutes, down, up, quotaMb };
    const isTaken = (name: string): boolean => {
      const other = byKey.get(toUserKey(name));
      return used.has(toUserKey(name)) || (other !== undefined && !hasLimits(other, limits));
    };
    const name = findFreeName(wanted, isTaken);
    used.add(toUserKey(name));
    if (byKey.has(toUserKey(name))) continue;
    added += 1;
    if (!deps.dryRun) await deps.profiles.add({ ...limits, name, siteIds: null }, deps.actor);
  }
  return toImportCount(added, templates.length);
};

type Limits = Pick<Profile, 'maxUses' | 'expireMinutes' | 'down' | 'up' | 'quotaMb'>;

const hasLimits = (profile: Profile, limits: Limits): boolean =>
  Object.entries(limits).every(([limit, value]) => profile[limit as keyof Limits] === value);

const webhookName = 'PHP-Tool';

const addWebhook = async (
  { webhook: address }: ImportPlan,
  deps: ImportDeps,
  notes: string[],
): Promise<ImportCount> => {
  if (address === undefined) return toImportCount(0, 0);
  const stored = await deps.tables.webhooks.all();
  if (findWebhookOf(address, stored, deps.secrets)) return toImportCount(0, 1);
  if (deps.dryRun) return toImportCount(1, 1);
  const name = takeFreeName(webhookName, new Set(stored.map((webhook) => webhook.name)));
  try {
    await deps.webhooks.add(
      {
        name,
        format: 'php-tool',
        language: 'de',
        reportsControllers: true,
        readAddress: () => Promise.resolve(address),
      },
      deps.actor,
    );
    return toImportCount(1, 1);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notes.push(
      `the webhook is not moved: ${error.message}; allow it with WEBHOOK_ALLOW_PRIVATE and import again, or add it with \`voucherd webhook add --format php-tool\``,
    );
    return toImportCount(0, 0);
  }
};

const addVouchers = async (
  vouchers: readonly PlannedVoucher[],
  known: KnownControllers,
  deps: ImportDeps,
): Promise<ImportCount> => {
  let added = 0;
  for (let start = 0; start < vouchers.length; start += voucherBatch) {
    const batch = vouchers.slice(start, start + voucherBatch).map((voucher) => toImported(voucher, known));
    added += deps.dryRun
      ? (await findUnimported(deps.database.read, batch)).length
      : await importVouchers(deps.database, batch);
    deps.onProgress('vouchers', Math.min(start + voucherBatch, vouchers.length), vouchers.length);
  }
  return toImportCount(added, vouchers.length);
};

const toImported = (
  { id: _id, site, userName, ...voucher }: PlannedVoucher,
  known: KnownControllers,
): ImportedVoucher => ({
  ...voucher,
  controllerId: known.get(site.controller) ?? 0,
  source: userName,
  actorKind: userName === null ? null : 'user',
  actorName: userName,
});
