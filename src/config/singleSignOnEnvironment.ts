import { refuseSetting as refuse } from './configError.js';
import { choiceSettings } from './settings.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** An OpenID Connect provider that can be used. */
export interface SingleSignOnConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button says. */
  readonly name: string;
  /** The claim that gives the role; undefined when administrators give it. */
  readonly roleClaim: string | undefined;
  /** The value of that claim that makes an administrator. */
  readonly adminValue: string;
  /** The value that makes a viewer, who only reads; undefined when none does. */
  readonly viewerValue: string | undefined;
  readonly emailProof: EmailProof;
}

/** By what it is known that an e-mail address is the person's own. */
export type EmailProof =
  | { readonly by: 'email_verified' }
  /** Microsoft's claim of the same meaning. */
  | { readonly by: 'xms_edov' }
  /** The provider knows only people of one organisation, which owns these domains. */
  | { readonly by: 'domain'; readonly domains: readonly string[] };

/** What is set of a provider, by the environment or in the web UI. Together it may be enough. */
export interface SingleSignOnSettings {
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly name?: string | undefined;
  readonly roleClaim?: string | undefined;
  readonly adminValue?: string | undefined;
  readonly viewerValue?: string | undefined;
  readonly emailProof?: EmailProof['by'] | undefined;
  /** Separated by commas. */
  readonly emailDomains?: string | undefined;
}

/** Which variable sets which part. */
export const singleSignOnVariables = {
  issuer: 'OIDC_ISSUER',
  clientId: 'OIDC_CLIENT_ID',
  clientSecret: 'OIDC_CLIENT_SECRET',
  name: 'OIDC_NAME',
  roleClaim: 'OIDC_ROLE_CLAIM',
  adminValue: 'OIDC_ADMIN_VALUE',
  viewerValue: 'OIDC_VIEWER_VALUE',
  emailProof: 'OIDC_EMAIL_PROOF',
  emailDomains: 'OIDC_EMAIL_DOMAINS',
} as const satisfies Record<keyof SingleSignOnSettings, string>;

/** What is wrong with settings: nothing can sign in with them. */
export type SingleSignOnFault =
  | 'issuer-missing'
  | 'client-missing'
  | 'issuer-invalid'
  | 'issuer-shared'
  | 'domains-invalid'
  | 'domains-unused';

/** Parses settings as a whole: the provider, or what is wrong. */
export const parseSingleSignOn = (settings: SingleSignOnSettings): SingleSignOnConfig | SingleSignOnFault => {
  const { issuer, clientId, clientSecret, roleClaim, viewerValue } = settings;
  if (!issuer) return 'issuer-missing';
  const url = parseIssuer(issuer);
  if (!url) return 'issuer-invalid';
  const emailProof = parseEmailProof(settings, url);
  if (typeof emailProof === 'string') return emailProof;
  if (!clientId || !clientSecret) return 'client-missing';
  return {
    issuer,
    clientId,
    clientSecret,
    emailProof,
    name: settings.name || url.host,
    roleClaim: roleClaim || undefined,
    adminValue: settings.adminValue || 'admin',
    viewerValue: viewerValue || undefined,
  };
};

/** An https address; http only on this machine. */
const parseIssuer = (issuer: string): URL | undefined => {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (!url || url.username !== '' || url.password !== '') return undefined;
  const isLocal = url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || isLocal ? url : undefined;
};

const domainFormat = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+$/;

const parseEmailProof = (
  { emailProof: by = 'email_verified', emailDomains: list = '' }: SingleSignOnSettings,
  issuer: URL,
): EmailProof | SingleSignOnFault => {
  if (by !== 'domain' && list !== '') return 'domains-unused';
  if (by === 'email_verified') return { by };
  if (isSharedIssuer(issuer)) return 'issuer-shared';
  if (by === 'xms_edov') return { by };
  const domains = list.split(',').map((domain) => domain.trim().toLowerCase());
  return domains.every((domain) => domainFormat.test(domain)) ? { by, domains } : 'domains-invalid';
};

/**
 * Microsoft's addresses where people of any organisation sign in, and the tenant of all personal accounts.
 */
const isSharedIssuer = ({ pathname }: URL): boolean =>
  pathname
    .toLowerCase()
    .split('/')
    .some((part) =>
      ['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad'].includes(part),
    );

/** Reads what the environment sets. What it leaves out may be set in the web UI. */
export const readSingleSignOn = (env: Environment): SingleSignOnSettings => {
  const value = (part: keyof SingleSignOnSettings): string | undefined =>
    env[singleSignOnVariables[part]] || undefined;
  const given: SingleSignOnSettings = {
    issuer: value('issuer'),
    clientId: value('clientId'),
    clientSecret: value('clientSecret'),
    name: value('name'),
    roleClaim: value('roleClaim'),
    adminValue: value('adminValue'),
    viewerValue: value('viewerValue'),
    emailProof: readProof(value('emailProof')),
    emailDomains: value('emailDomains'),
  };
  const { issuer = '', emailDomains = '', emailProof = 'email_verified' } = given;
  const fault = parseSingleSignOn(given);
  switch (fault) {
    case 'issuer-invalid':
      return refuse(
        'OIDC_ISSUER',
        URL.canParse(issuer) && new URL(issuer).password !== '' ? '…' : issuer,
        'an https address; http only on this machine',
      );
    case 'issuer-shared':
      return refuse(
        'OIDC_ISSUER',
        new URL(issuer).href,
        `the address of one tenant, because OIDC_EMAIL_PROOF is ${emailProof}`,
      );
    case 'domains-unused':
      return refuse('OIDC_EMAIL_DOMAINS', emailDomains, 'empty, unless OIDC_EMAIL_PROOF is domain');
    case 'domains-invalid':
      return refuse(
        'OIDC_EMAIL_DOMAINS',
        emailDomains,
        'domains, separated by commas, such as example.org,example.com',
      );
    default:
      return given;
  }
};

const readProof = (value: string | undefined): EmailProof['by'] | undefined => {
  if (value === undefined || value === 'email_verified' || value === 'xms_edov' || value === 'domain')
    return value;
  return refuse('OIDC_EMAIL_PROOF', value, `one of ${choiceSettings.OIDC_EMAIL_PROOF.words.join(', ')}`);
};
