import { draftAudit } from '../audit/audit.js';
import { parseMailSettings, placeOfMailServer } from '../email/mailServer.js';
import type { Secrets } from '../secrets/encryption.js';
import { findDifferences, toExistingStep, type ImportStep, type PlanDeps } from './importStep.js';
import { mailServerStoreOf } from './mailServerInFile.js';

/** There is one mail server. A stored password stays where it is, and is never sent to another server. */
export const planMailServer = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { mailServer } = deps.file;
  if (!mailServer) return [];
  const { password, ...settings } = mailServer;
  const stored = await deps.tables.connections.find('mail');
  const step = { part: 'mailServer', name: settings.host } as const;
  const place = placeOfMailServer(settings);
  const hasPassword = password !== undefined || stored?.secret?.secretFor === place;
  if (settings.user !== null && !hasPassword)
    return [{ ...step, outcome: 'skipped', fields: [], todo: 'secret' }];
  const apply = async (secrets: Secrets): Promise<void> => {
    const audit = draftAudit(deps.actor, 'setting.mail', deps.at, { host: settings.host });
    const kept = settings.user === null ? null : password;
    await mailServerStoreOf(deps.tables, () => secrets).save({ ...settings }, place, kept, audit);
  };
  if (!stored) return [{ ...step, outcome: 'created', fields: [], apply }];
  const known = mailServerStoreOf(deps.tables, deps.secrets).openSecret(stored, place);
  const fields = [
    ...findDifferences(settings, parseMailSettings(stored)),
    ...(password !== undefined && password !== known ? ['password'] : []),
  ];
  return [toExistingStep(deps, { ...step, fields }, apply)];
};
