import { draftAudit } from '../audit/audit.js';
import { summarizeOrderLimit } from '../orderLimits/orderLimits.js';
import { summarizePrinter, toPrinterValues } from '../printing/receiptPrinters.js';
import { summarizeProfile, toProfileValues } from '../profiles/profiles.js';
import { SecretError } from '../secrets/encryption.js';
import { toUserKey } from '../users/names.js';
import type { StoredWebhook } from '../webhooks/webhookTable.js';
import { openWebhook, sealWebhook, type Webhook } from '../webhooks/webhooks.js';
import type { OpenWebhook } from './checkConfiguration.js';
import { toOrderLimitValues, type FileSites } from './configurationFile.js';
import { findDifferences, toExistingStep, toNewStep, type ImportStep, type PlanDeps } from './importStep.js';

const toSiteIds = (sites: FileSites): number[] | null =>
  sites === 'all' ? null : [...new Set(sites)].sort((a, b) => a - b);

/** Profiles are the same when their names are, whatever the case. */
export const planProfiles = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = await deps.tables.profiles.all();
  return deps.file.profiles.map(({ sites, position: _place, isDefault: _default, ...given }): ImportStep => {
    const values = toProfileValues({ ...given, siteIds: toSiteIds(sites) });
    const { nameKey, ...wanted } = values;
    const known = stored.find(({ name }) => toUserKey(name) === nameKey);
    const step = { part: 'profiles', name: wanted.name } as const;
    if (!known)
      return toNewStep(step, async () => {
        const audit = draftAudit(deps.actor, 'profile.add', deps.at, summarizeProfile(values));
        deps.profileIds.set(nameKey, asId(await deps.tables.profiles.add(values, audit)));
      });
    deps.profileIds.set(nameKey, known.id);
    return toExistingStep(deps, { ...step, fields: findDifferences(wanted, known) }, async () => {
      const audit = draftAudit(deps.actor, 'profile.change', deps.at, summarizeProfile(values));
      await deps.tables.profiles.change(known.id, values, audit);
    });
  });
};

/** Everything that could be refused was checked before, in the same transaction. */
const asId = (outcome: number | string): number => {
  if (typeof outcome === 'number') return outcome;
  throw new Error(`it was refused: ${outcome}`);
};

/** Printers are the same when their names are, whatever the case. */
export const planPrinters = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = await deps.tables.printers.all();
  return deps.file.printers.map(({ sites, ...given }): ImportStep => {
    const values = toPrinterValues({ ...given, siteIds: toSiteIds(sites) });
    const { nameKey, ...wanted } = values;
    const known = stored.find(({ name }) => toUserKey(name) === nameKey);
    const step = { part: 'printers', name: wanted.name } as const;
    if (!known)
      return toNewStep(step, async () => {
        const audit = draftAudit(deps.actor, 'printer.add', deps.at, summarizePrinter(values));
        deps.printerIds.set(nameKey, asId(await deps.tables.printers.add(values, audit)));
      });
    deps.printerIds.set(nameKey, known.id);
    return toExistingStep(deps, { ...step, fields: findDifferences(wanted, known) }, async () => {
      const audit = draftAudit(deps.actor, 'printer.change', deps.at, summarizePrinter(values));
      await deps.tables.printers.change(known.id, values, audit);
    });
  });
};

/**
 * Webhooks are the same when their names are. Only whether one is active, and what it is told, can be
 * changed.
 */
export const planWebhooks = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = await deps.tables.webhooks.all();
  return deps.file.webhooks.map((webhook, index): ImportStep => {
    const known = stored.find(({ name }) => name === webhook.name);
    if (!known) return planNewWebhook(deps, webhook);
    const fields = findWebhookDifferences(deps, webhook, known);
    const fixed = fields.filter((field) => field !== 'active' && field !== 'reportsControllers');
    if (deps.update && fixed.length > 0)
      deps.refuse(
        ['webhooks', index],
        `webhook "${webhook.name}" has another ${fixed.join(' and ')} here, which can not be changed: remove it first`,
        'conflict',
      );
    return toExistingStep(deps, { part: 'webhooks', name: webhook.name, fields }, async () => {
      const { active, reportsControllers } = webhook;
      const audit = draftAudit(deps.actor, 'webhook.change', deps.at, { active, reportsControllers });
      await deps.tables.webhooks.change(known.id, { active, reportsControllers, reason: null }, audit);
    });
  });
};

const findWebhookDifferences = (deps: PlanDeps, webhook: OpenWebhook, known: StoredWebhook): string[] => {
  const { format, language, active, reportsControllers, address, secret } = webhook;
  const opened = address === undefined ? undefined : openKnownWebhook(deps, known);
  return [
    ...findDifferences({ format, language, active, reportsControllers }, known),
    ...(address !== undefined && opened?.address !== address ? ['address'] : []),
    ...(secret !== undefined && !opened?.secrets.some((one) => one.secret === secret) ? ['secret'] : []),
  ];
};

const openKnownWebhook = (deps: PlanDeps, known: StoredWebhook): Webhook | undefined => {
  try {
    return openWebhook(known, deps.secrets());
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
};

const planNewWebhook = (deps: PlanDeps, webhook: OpenWebhook): ImportStep => {
  const { name, format, language, active, reportsControllers, address, secret } = webhook;
  const step = { part: 'webhooks', name } as const;
  if (address === undefined) return { ...step, outcome: 'skipped', fields: [], todo: 'address' };
  return toNewStep(step, async (secrets) => {
    const detail = { format, language, host: new URL(address).host };
    const audit = draftAudit(deps.actor, 'webhook.add', deps.at, detail);
    const input = { name, format, language, reportsControllers, address, secret };
    const sealed = sealWebhook(input, secrets, deps.at);
    const id = await deps.tables.webhooks.add(sealed, audit);
    if (!active) await deps.tables.webhooks.change(id, { active });
  });
};

/** The rules for sign-in. While there are none, setting them changes nothing that somebody has set. */
export const planSettings = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { settings } = deps.file;
  if (!settings) return [];
  const stored = await deps.tables.settings.signInRules();
  const secondFactorRoles = [...settings.secondFactorRoles].sort();
  const wanted = { secondFactorRoles };
  const step = {
    part: 'settings',
    name: 'second factor',
    fields: findDifferences(wanted, { secondFactorRoles: [...stored.secondFactorRoles].sort() }),
  } as const;
  const isFirst = stored.secondFactorRoles.length === 0;
  return [
    toExistingStep({ update: deps.update || isFirst }, step, async () => {
      const detail = { secondFactor: secondFactorRoles.join(', ') };
      const audit = draftAudit(deps.actor, 'sign-in-rules.change', deps.at, detail);
      await deps.tables.settings.setSignInRules(wanted, audit);
    }),
  ];
};

/** Rules for orders are the same when role and site are. */
export const planOrderLimits = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { orderLimits } = deps.tables;
  const stored = await orderLimits.all();
  return deps.file.orderLimits.map((given): ImportStep => {
    const wanted = toOrderLimitValues(given);
    const known = stored.find(({ role, siteId }) => role === wanted.role && siteId === wanted.siteId);
    const name = `${wanted.role}, ${wanted.siteId === null ? 'all sites' : `site ${String(wanted.siteId)}`}`;
    const detail = summarizeOrderLimit(wanted);
    if (!known)
      return toNewStep({ part: 'orderLimits', name }, async () => {
        await orderLimits.add(wanted, draftAudit(deps.actor, 'limit.add', deps.at, detail));
      });
    const step = { part: 'orderLimits', name, fields: findDifferences(wanted, known) } as const;
    return toExistingStep(deps, step, async () => {
      await orderLimits.change(known.id, wanted, draftAudit(deps.actor, 'limit.change', deps.at, detail));
    });
  });
};
