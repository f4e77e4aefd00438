import type { Tables } from '../app/tables.js';
import { parseProviderSettings, placeOfIdentityProvider } from '../auth/identityProvider.js';
import { parseSingleSignOn, type SingleSignOnSettings } from '../config/singleSignOnEnvironment.js';
import { Refusal } from '../errors/problem.js';
import type { Binding, Secrets } from '../secrets/encryption.js';
import { checkServerHost } from '../ssrf/serverAddress.js';
import { connectionStoreOf } from './connectionInFile.js';
import { object, sealed, text } from './fileSchema.js';

/** Single sign-on, without what the environment sets. */
export interface FileIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly name?: string | null;
  readonly roleClaim?: string | null;
  readonly adminValue?: string | null;
  readonly viewerValue?: string | null;
  readonly emailProof?: 'email_verified' | 'xms_edov' | 'domain' | null;
  readonly emailDomains?: string | null;
  readonly clientSecret: string | null;
}

/** A provider whose client secret is open; undefined when the file does not have it. */
export interface OpenIdentityProvider extends ProviderInFile {
  readonly clientSecret: string | undefined;
}

type ProviderInFile = Omit<FileIdentityProvider, 'clientSecret'>;

const optional = {
  name: text(100),
  roleClaim: text(200),
  adminValue: text(500),
  viewerValue: text(500),
  emailProof: { enum: [null, 'email_verified', 'xms_edov', 'domain'] },
  emailDomains: text(2000),
  clientSecret: sealed,
};
export const identityProviderSchema = object(
  {
    issuer: { type: 'string', minLength: 1, maxLength: 2000 },
    clientId: { type: 'string', minLength: 1, maxLength: 500 },
    ...optional,
  },
  Object.keys(optional),
);

/** A client secret belongs to the provider and the client beside it. */
export const fileProviderBinding = (provider: ProviderInFile): Binding =>
  JSON.stringify(['file', 'identityProvider', placeOfIdentityProvider(toProviderSettings(provider))]);

/** What of a file is stored. */
export const toProviderSettings = (file: ProviderInFile): SingleSignOnSettings => ({
  issuer: file.issuer,
  clientId: file.clientId,
  name: file.name ?? undefined,
  roleClaim: file.roleClaim ?? undefined,
  adminValue: file.adminValue ?? undefined,
  viewerValue: file.viewerValue ?? undefined,
  emailProof: file.emailProof ?? undefined,
  emailDomains: file.emailDomains ?? undefined,
});

/** What is stored, as a file has it. */
export const toFileProvider = (settings: SingleSignOnSettings): Required<ProviderInFile> => ({
  issuer: settings.issuer ?? '',
  clientId: settings.clientId ?? '',
  name: settings.name ?? null,
  roleClaim: settings.roleClaim ?? null,
  adminValue: settings.adminValue ?? null,
  viewerValue: settings.viewerValue ?? null,
  emailProof: settings.emailProof ?? null,
  emailDomains: settings.emailDomains ?? null,
});

/** The stored provider; what the environment sets is not part of the file. */
export const exportIdentityProvider = async (
  tables: Tables,
  transfer: { readonly stored: Secrets; readonly file: Secrets } | undefined,
): Promise<FileIdentityProvider | undefined> => {
  const stored = await tables.connections.find('single-sign-on');
  if (!stored) return undefined;
  const settings = parseProviderSettings(stored);
  const provider = toFileProvider(settings);
  // Parts alone mean something only together with the environment.
  if (provider.issuer === '' || provider.clientId === '') return undefined;
  const secret =
    transfer &&
    connectionStoreOf('single-sign-on', tables, () => transfer.stored).openSecret(
      stored,
      placeOfIdentityProvider(settings),
    );
  return {
    ...provider,
    clientSecret:
      transfer && secret !== undefined ? transfer.file.seal(secret, fileProviderBinding(provider)) : null,
  };
};

/** Checks values as if they were entered. Throws `Refusal`. */
export const checkIdentityProvider = (provider: ProviderInFile): void => {
  const parsed = parseSingleSignOn({ ...toProviderSettings(provider), clientSecret: 'kept' });
  if (typeof parsed === 'string') throw new Refusal(`single-sign-on-${parsed}`, faults[parsed], 'invalid');
  checkServerHost(new URL(parsed.issuer).hostname.replace(/^\[(.*)\]$/, '$1'));
};

const faults = {
  'issuer-missing': 'the issuer is missing',
  'client-missing': 'the client is missing',
  'issuer-invalid': 'the issuer is not an https address',
  'issuer-shared': 'the issuer is not the address of one tenant, as this proof of e-mail addresses needs it',
  'domains-invalid': 'emailDomains: not domains, separated by commas',
  'domains-unused': 'emailDomains: only for the proof by domain',
} as const;
