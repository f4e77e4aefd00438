import { makeTables } from '../app/tables.js';
import type { Actor } from '../audit/audit.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';
import type { Clock } from '../lib/system.js';
import type { Secrets } from '../secrets/encryption.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import type { OpenConfiguration } from './checkConfiguration.js';
import type { ReadConfiguration } from './configurationFile.js';
import type { ImportStep, PlanDeps } from './importStep.js';
import { planControllerSteps } from './planControllers.js';
import { planDefaultProfiles, planPrintAtOnce, planSites } from './planSites.js';
import { planKiosks } from './kioskPart.js';
import { planOrderLimits, planPrinters, planProfiles, planSettings, planWebhooks } from './planOthers.js';
import { planProfileOrder } from './planProfileOrder.js';
import { planOwnTexts } from './planOwnTexts.js';
import { planBranding } from './brandingPart.js';
import { planIdentityProvider, planMailServer, planSmsProvider } from './planConnections.js';

export interface ImportOptions {
  readonly file: OpenConfiguration;
  readonly refuse: ReadConfiguration['refuse'];
  readonly update: boolean;
  readonly dryRun: boolean;
  readonly actor: Actor;
  readonly database: Database;
  readonly clock: Clock;
  readonly rotationSafeWriter: RotationSafeWriter;
  /** Opens what is stored. */
  secrets(): Secrets;
}

/**
 * Imports a configuration, all of it or nothing, in one transaction. Returns what becomes of each thing in
 * the file. Throws
 * `ConfigurationError` when something of the file means something else here.
 */
export const importConfiguration = async (options: ImportOptions): Promise<ImportStep[]> => {
  const planned = await planSteps(options, options.database);
  if (options.dryRun || planned.every(({ apply }) => !apply)) return planned;
  const run = (secrets: Secrets): Promise<ImportStep[]> => applySteps(options, secrets);
  const { controllers, sites, webhooks, mailServer, smsProvider, identityProvider } = options.file;
  const hasSecrets =
    controllers.some(({ credentials }) => credentials) ||
    sites.some(({ wifiPassword }) => wifiPassword !== undefined) ||
    webhooks.some(({ address }) => address !== undefined) ||
    mailServer?.password !== undefined ||
    smsProvider?.secret !== undefined ||
    identityProvider?.clientSecret !== undefined;
  // Without secrets in the file nothing is sealed: stored ones stay as they are.
  return hasSecrets ? options.rotationSafeWriter.write(run) : run(options.secrets());
};

const applySteps = (options: ImportOptions, secrets: Secrets): Promise<ImportStep[]> =>
  inTransaction(options.database.write, async (transaction) => {
    // Locks out others that change one of these, so what is planned now still holds when it is written.
    await raiseRevisions(transaction, [
      'sites',
      'profiles',
      'printers',
      'limits',
      'webhooks',
      'people',
      'settings',
    ]);
    const inside = { ...options.database, read: transaction, write: transaction };
    const steps = await planSteps(options, inside);
    for (const { apply } of steps) await apply?.(secrets);
    return steps;
  });

/** In the order in which one needs another. */
const planSteps = async (options: ImportOptions, database: Database): Promise<ImportStep[]> => {
  const deps: PlanDeps = {
    ...options,
    database,
    tables: makeTables(database),
    at: options.clock.now(),
    controllerIds: new Map(),
    profileIds: new Map(),
    printerIds: new Map(),
  };
  const plans = [
    ...[planControllerSteps, planSites, planProfiles, planProfileOrder, planDefaultProfiles],
    ...[planPrinters, planPrintAtOnce, planWebhooks, planKiosks, planOrderLimits, planSettings],
    ...[planMailServer, planSmsProvider, planIdentityProvider, planOwnTexts, planBranding],
  ];
  const steps: ImportStep[] = [];
  for (const plan of plans) steps.push(...(await plan(deps)));
  return steps;
};
