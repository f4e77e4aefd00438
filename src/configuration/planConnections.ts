import { draftAudit } from '../audit/audit.js';
import type { AuditDraft } from '../audit/auditTable.js';
import { parseProviderSettings, placeOfIdentityProvider } from '../auth/identityProvider.js';
import type { ConnectionName, StoredConnection } from '../connections/connectionTable.js';
import { parseMailSettings, placeOfMailServer } from '../email/mailServer.js';
import type { Secrets } from '../secrets/encryption.js';
import {
  describeSmsChange,
  parseSmsSettings,
  placeOfSmsProvider,
  splitSmsSettings,
} from '../sms/smsProvider.js';
import { needsSecret } from '../sms/smsRequest.js';
import { connectionStoreOf } from './connectionInFile.js';
import { toFileProvider, toProviderSettings } from './identityProviderInFile.js';
import { findDifferences, toExistingStep, toNewStep, type ImportStep, type PlanDeps } from './importStep.js';

/** A server of the file, beside the one that is stored. */
interface GivenConnection {
  readonly part: 'mailServer' | 'smsProvider' | 'identityProvider';
  readonly host: string;
  readonly settings: StoredConnection['settings'];
  /** What its secret is sent to. */
  readonly place: string;
  readonly needsSecret: boolean;
  /** Undefined when the file does not have it. */
  readonly secret: string | undefined;
  /** The fields that are stored with other values. */
  readonly differences: readonly string[];
  readonly audit: AuditDraft;
}

/**
 * There is one server of each kind. A stored secret stays where it is, and is never sent to another server.
 */
const planConnection = async (
  { deps, name, secretField }: { deps: PlanDeps; name: ConnectionName; secretField: string },
  compare: (stored: StoredConnection | undefined) => GivenConnection,
): Promise<ImportStep[]> => {
  const stored = await deps.tables.connections.find(name);
  const { part, host, settings, place, secret, differences, audit, ...given } = compare(stored);
  const step = { part, name: host } as const;
  if (given.needsSecret && secret === undefined && stored?.secret?.secretFor !== place)
    return [{ ...step, outcome: 'skipped', fields: [], todo: 'secret' }];
  const apply = async (secrets: Secrets): Promise<void> => {
    const kept = given.needsSecret ? secret : null;
    await connectionStoreOf(name, deps.tables, () => secrets).save(settings, place, kept, audit);
  };
  if (!stored) return [toNewStep(step, apply)];
  const known = connectionStoreOf(name, deps.tables, deps.secrets).openSecret(stored, place);
  const fields = [...differences, ...(secret !== undefined && secret !== known ? [secretField] : [])];
  return [toExistingStep(deps, { ...step, fields }, apply)];
};

export const planMailServer = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { mailServer } = deps.file;
  if (!mailServer) return [];
  const { password, ...settings } = mailServer;
  return planConnection({ deps, name: 'mail', secretField: 'password' }, (stored) => ({
    part: 'mailServer',
    host: settings.host,
    settings: { ...settings },
    place: placeOfMailServer(settings),
    needsSecret: settings.user !== null,
    secret: password,
    differences: stored ? findDifferences(settings, parseMailSettings(stored)) : [],
    audit: draftAudit(deps.actor, 'setting.mail', deps.at, { host: settings.host }),
  }));
};

export const planIdentityProvider = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { identityProvider } = deps.file;
  if (!identityProvider) return [];
  const { clientSecret, ...given } = identityProvider;
  const { host } = new URL(given.issuer);
  return planConnection({ deps, name: 'single-sign-on', secretField: 'clientSecret' }, (stored) => {
    const now = stored && toFileProvider(parseProviderSettings(stored));
    const settings = toProviderSettings({ ...now, ...given });
    return {
      part: 'identityProvider',
      host,
      settings: { ...settings },
      place: placeOfIdentityProvider(settings),
      needsSecret: true,
      secret: clientSecret,
      differences: now ? findDifferences(given, now) : [],
      audit: draftAudit(deps.actor, 'setting.single-sign-on', deps.at, { host }),
    };
  });
};

export const planSmsProvider = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { smsProvider } = deps.file;
  if (!smsProvider) return [];
  const { secret, ...given } = smsProvider;
  const { connection, rules } = splitSmsSettings(given);
  const settings = { ...connection, ...rules };
  return planConnection({ deps, name: 'sms', secretField: 'secret' }, (stored) => {
    const now = parseSmsSettings(stored);
    const changed = describeSmsChange(settings, now);
    return {
      part: 'smsProvider',
      host: new URL(connection.url).hostname,
      settings,
      place: placeOfSmsProvider(connection),
      needsSecret: needsSecret(connection),
      secret,
      differences: findDifferences(settings, { ...noConnection, ...now.connection, ...now.rules }),
      audit: draftAudit(deps.actor, 'setting.sms', deps.at, { ...changed, ...(secret && { secret: true }) }),
    };
  });
};

const noConnection = {
  kind: null,
  url: null,
  user: null,
  from: null,
  method: null,
  headers: null,
  format: null,
  body: null,
  sentText: null,
};
