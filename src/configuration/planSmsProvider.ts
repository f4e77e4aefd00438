import { draftAudit } from '../audit/audit.js';
import type { Secrets } from '../secrets/encryption.js';
import {
  describeSmsChange,
  parseSmsSettings,
  placeOfSmsProvider,
  splitSmsSettings,
} from '../sms/smsProvider.js';
import { needsSecret } from '../sms/smsRequest.js';
import { findDifferences, toExistingStep, type ImportStep, type PlanDeps } from './importStep.js';
import { smsStoreOf } from './smsProviderInFile.js';

/** There is one SMS provider. A stored secret stays where it is, and is never sent to another provider. */
export const planSmsProvider = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { smsProvider } = deps.file;
  if (!smsProvider) return [];
  const { secret, ...given } = smsProvider;
  const { connection, rules } = splitSmsSettings(given);
  const settings = { ...connection, ...rules };
  const stored = await deps.tables.connections.find('sms');
  const host = new URL(connection.url).hostname;
  const step = { part: 'smsProvider', name: host } as const;
  const place = placeOfSmsProvider(connection);
  const hasSecret = secret !== undefined || stored?.secret?.secretFor === place;
  if (needsSecret(connection) && !hasSecret)
    return [{ ...step, outcome: 'skipped', fields: [], todo: 'secret' }];
  const apply = async (secrets: Secrets): Promise<void> => {
    const changed = describeSmsChange(settings, parseSmsSettings(stored));
    const audit = draftAudit(deps.actor, 'setting.sms', deps.at, {
      ...changed,
      ...(secret && { secret: true }),
    });
    const kept = needsSecret(connection) ? secret : null;
    await smsStoreOf(deps.tables, () => secrets).save(settings, place, kept, audit);
  };
  if (!stored) return [{ ...step, outcome: 'created', fields: [], apply }];
  const known = smsStoreOf(deps.tables, deps.secrets).openSecret(stored, place);
  const now = parseSmsSettings(stored);
  const fields = [
    ...findDifferences(settings, { ...emptyConnection, ...now.connection, ...now.rules }),
    ...(secret !== undefined && secret !== known ? ['secret'] : []),
  ];
  return [toExistingStep(deps, { ...step, fields }, apply)];
};

const emptyConnection = {
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
