import { draftAudit, type Actor } from '../audit/audit.js';
import {
  parseSingleSignOn,
  singleSignOnVariables,
  type SingleSignOnConfig,
  type SingleSignOnFault,
  type SingleSignOnSettings,
} from '../config/singleSignOnEnvironment.js';
import type { ConnectionStore } from '../connections/connectionStore.js';
import type { CheckStored, StoredConnection } from '../connections/connectionTable.js';
import { makeRevisionCache, type Revisions } from '../database/revisions.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import type { Log } from '../log/log.js';
import { checkServerHost } from '../ssrf/serverAddress.js';

type Part = keyof SingleSignOnSettings;
const parts = Object.keys(singleSignOnVariables) as Part[];
type ComparedPart = Exclude<Part, 'clientSecret'>;
const comparedParts = parts.filter((part) => part !== 'clientSecret');

/** What administrators set. The client secret is kept when it is undefined. */
export type IdentityProviderInput = SingleSignOnSettings;

/** What was stored when somebody began to change it; what was not set is null or left out. */
export type SettingsBefore = Readonly<Partial<Record<ComparedPart, string | null>>>;

/** The identity provider as it is set up, without its secret. */
export interface IdentityProviderView {
  readonly settings: Omit<SingleSignOnSettings, 'clientSecret'>;
  readonly hasClientSecret: boolean;
  /** By which variable parts are set that can't be changed here. */
  readonly fixed: readonly { readonly part: Part; readonly variable: string }[];
  /** Why nobody can sign in there; null when they can. */
  readonly fault: SingleSignOnFault | null;
}

/**
 * The identity provider: what the environment sets of it, and what administrators set otherwise. All throw
 * `Refusal`.
 */
export interface IdentityProvider {
  /** The provider; undefined while it is not set up. The same object until something changes. */
  current(): Promise<SingleSignOnConfig | undefined>;
  view(): Promise<IdentityProviderView>;
  /** With `before`, what somebody else has changed since then is not replaced. */
  save(input: IdentityProviderInput, actor: Actor, before?: SettingsBefore): Promise<void>;
  remove(actor: Actor): Promise<void>;
  /** What would be used if this was saved. */
  resolve(input: IdentityProviderInput): Promise<SingleSignOnConfig>;
}

interface IdentityProviderDeps {
  readonly environment: SingleSignOnSettings;
  readonly store: ConnectionStore;
  readonly revisions: Revisions;
  readonly clock: Clock;
}

export const makeIdentityProvider = (deps: IdentityProviderDeps): IdentityProvider => {
  const { environment, store, revisions, clock } = deps;
  // Domains mean something only together with the proof.
  const isFixed = (part: Part): boolean =>
    environment[part] !== undefined || (part === 'emailDomains' && environment.emailProof !== undefined);
  const fixed = parts.filter(isFixed).map((part) => ({ part, variable: singleSignOnVariables[part] }));
  const withEnvironment = (settings: SingleSignOnSettings): SingleSignOnSettings => ({
    ...settings,
    ...Object.fromEntries(parts.filter(isFixed).map((part) => [part, environment[part]])),
  });

  const load = async (): Promise<{ view: IdentityProviderView; config: SingleSignOnConfig | undefined }> => {
    const stored = await store.load();
    const settings = withEnvironment(stored ? parseProviderSettings(stored) : {});
    const clientSecret = settings.clientSecret ?? store.openSecret(stored, placeOfIdentityProvider(settings));
    const parsed = parseSingleSignOn({ ...settings, clientSecret });
    const [config, fault] = typeof parsed === 'string' ? [undefined, parsed] : [parsed, null];
    const { clientSecret: _, ...shown } = settings;
    return {
      view: { settings: shown, hasClientSecret: clientSecret !== undefined, fixed, fault },
      config,
    };
  };
  const cached = makeRevisionCache({ revisions, maxSize: 1, load });

  /** Parts that the environment sets can't be changed; what is left has to be possible. */
  const accept = (input: IdentityProviderInput): SingleSignOnSettings => {
    for (const part of parts)
      if (isFixed(part) && (input[part] || undefined) !== environment[part] && input[part] !== undefined)
        throw new Refusal(
          'setting-fixed',
          `${singleSignOnVariables[part]} is set, and can not be changed here`,
        );
    const settings = withEnvironment(input);
    const parsed = parseSingleSignOn({ ...settings, clientSecret: settings.clientSecret ?? 'kept' });
    if (typeof parsed === 'string') throw new Refusal(`single-sign-on-${parsed}`, parsed, 'invalid');
    if (environment.issuer === undefined)
      checkServerHost(new URL(parsed.issuer).hostname.replace(/^\[(.*)\]$/, '$1'));
    return settings;
  };

  const resolve = async (input: IdentityProviderInput): Promise<SingleSignOnConfig> => {
    const settings = accept(input);
    const clientSecret =
      settings.clientSecret || store.openSecret(await store.load(), placeOfIdentityProvider(settings));
    const parsed = parseSingleSignOn({ ...settings, clientSecret });
    if (typeof parsed === 'string') throw secretNeeded();
    return parsed;
  };

  return {
    current: async () => (await cached('settings')).config,
    view: async () => (await cached('settings')).view,
    save: async (input, actor, before) => {
      const settings = accept(input);
      await resolve(input);
      const { clientSecret: _, ...stored } = input;
      const secret = isFixed('clientSecret') ? null : input.clientSecret || undefined;
      const audit = draftAudit(actor, 'setting.single-sign-on', clock.now(), {
        host: new URL(settings.issuer ?? '').host,
      });
      const check: CheckStored = (found) => {
        if (before)
          assertUnchanged(withEnvironment(found ? parseProviderSettings({ settings: found }) : {}), before);
      };
      if (!(await store.save(stored, placeOfIdentityProvider(settings), secret, audit, check)))
        throw secretNeeded();
    },
    remove: async (actor) => {
      const audit = draftAudit(actor, 'setting.single-sign-on', clock.now(), { removed: true });
      if (!(await store.remove(audit))) throw new Refusal('not-found', 'nothing is set up', 'missing');
    },
    resolve,
  };
};

/**
 * Says at the start what nobody would notice before they sign in: variables that are not enough for a
 * provider.
 */
export const warnOfIncompleteProvider = async (
  { view }: Pick<IdentityProvider, 'view'>,
  log: Log,
): Promise<void> => {
  const { fixed, fault } = await view();
  if (fixed.length === 0 || fault === null) return;
  const variables = fixed.map(({ variable }) => variable);
  log.warn(
    { fault, variables },
    'nobody can sign in at the identity provider: its settings are not complete',
  );
};

const assertUnchanged = (found: SingleSignOnSettings, before: SettingsBefore): void => {
  if (comparedParts.some((part) => (found[part] ?? '') !== (before[part] ?? '')))
    throw new Refusal('changed-meanwhile', 'somebody else has changed it meanwhile');
};

const secretNeeded = (): Refusal =>
  new Refusal('client-secret-required', 'a stored secret is not sent to another provider: enter it again');

/** Where a client secret may be sent. */
export const placeOfIdentityProvider = ({ issuer = '', clientId = '' }: SingleSignOnSettings): string =>
  JSON.stringify([issuer, clientId]);

/** What is stored, without the secret. */
export const parseProviderSettings = ({
  settings,
}: Pick<StoredConnection, 'settings'>): SingleSignOnSettings => {
  const text = (part: Part): string | undefined => {
    const value = settings[part];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const proof = text('emailProof');
  return {
    issuer: text('issuer'),
    clientId: text('clientId'),
    name: text('name'),
    roleClaim: text('roleClaim'),
    adminValue: text('adminValue'),
    viewerValue: text('viewerValue'),
    emailDomains: text('emailDomains'),
    emailProof: proof === 'xms_edov' || proof === 'domain' || proof === 'email_verified' ? proof : undefined,
  };
};
