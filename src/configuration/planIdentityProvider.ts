import { draftAudit } from '../audit/audit.js';
import { parseProviderSettings, placeOfIdentityProvider } from '../auth/identityProvider.js';
import type { Secrets } from '../secrets/encryption.js';
import { providerStoreOf, toFileProvider, toProviderSettings } from './identityProviderInFile.js';
import { findDifferences, toExistingStep, type ImportStep, type PlanDeps } from './importStep.js';

/** There is one identity provider. A stored secret stays where it is, and is never sent to another provider. */
export const planIdentityProvider = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { identityProvider } = deps.file;
  if (!identityProvider) return [];
  const { clientSecret, ...given } = identityProvider;
  const stored = await deps.tables.connections.find('single-sign-on');
  const now = stored && toFileProvider(parseProviderSettings(stored));
  const settings = toProviderSettings({ ...now, ...given });
  const place = placeOfIdentityProvider(settings);
  const { host } = new URL(given.issuer);
  const step = { part: 'identityProvider', name: host } as const;
  if (clientSecret === undefined && stored?.secret?.secretFor !== place)
    return [{ ...step, outcome: 'skipped', fields: [], todo: 'secret' }];
  const apply = async (secrets: Secrets): Promise<void> => {
    const audit = draftAudit(deps.actor, 'setting.single-sign-on', deps.at, { host });
    await providerStoreOf(deps.tables, () => secrets).save({ ...settings }, place, clientSecret, audit);
  };
  if (!stored || !now) return [{ ...step, outcome: 'created', fields: [], apply }];
  const known = providerStoreOf(deps.tables, deps.secrets).openSecret(stored, place);
  const fields = [
    ...findDifferences(given, now),
    ...(clientSecret !== undefined && clientSecret !== known ? ['clientSecret'] : []),
  ];
  return [toExistingStep(deps, { ...step, fields }, apply)];
};
