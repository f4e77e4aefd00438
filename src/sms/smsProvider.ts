import { draftAudit, type Actor } from '../audit/audit.js';
import type { AuditDetail } from '../audit/auditTable.js';
import { smsKinds, type SmsConnection, type SmsEnvironment } from '../config/smsEnvironment.js';
import type { ConnectionStore } from '../connections/connectionStore.js';
import type { StoredConnection } from '../connections/connectionTable.js';
import { makeRevisionCache, type Revisions } from '../database/revisions.js';
import { Refusal } from '../errors/problem.js';
import type { Awaitable } from '../lib/awaitable.js';
import type { Clock } from '../lib/system.js';
import { checkPublicAddress } from '../ssrf/publicAddress.js';
import type { SsrfGuard } from '../ssrf/ssrfGuard.js';
import type { NumberRules } from './phoneNumber.js';
import { checkSmsRequest, needsSecret, secretPlaces } from './smsRequest.js';
import type { SmsConfig } from './smsSender.js';

/** What administrators decide besides the provider. */
export interface SmsRules extends NumberRules {
  /** How many SMS are sent in a day at most. */
  readonly maxPerDay: number;
}

/** What administrators set. */
export interface SmsProviderInput extends SmsConnection, SmsRules {
  /** Undefined keeps the stored one. */
  readonly secret?: string | undefined;
}

export type SmsSettings = Omit<SmsProviderInput, 'secret'>;

/** A provider that SMS are sent through. */
export interface ActiveSms extends SmsConfig {
  readonly rules: SmsRules;
}

/** The provider as it is set up, without its secret. */
export interface SmsProviderView extends SmsRules, Omit<SmsConnection, 'kind' | 'url'> {
  readonly kind: SmsConnection['kind'] | null;
  readonly url: string | null;
  readonly hasSecret: boolean;
  /** By which variable it is set, so that it can't be changed here. */
  readonly fixed: string | null;
  /** Can SMS be sent? */
  readonly isComplete: boolean;
}

/** The SMS provider: what the environment sets, or what administrators set otherwise. All throw `Refusal`. */
export interface SmsProvider {
  /**
   * What SMS are sent through; undefined while it is not set up.
   * Changes of any process count within a second.
   */
  current(): Awaitable<ActiveSms | undefined>;
  view(): Promise<SmsProviderView>;
  save(input: SmsProviderInput, actor: Actor): Promise<void>;
  remove(actor: Actor): Promise<void>;
  /** What would be used if this was saved. */
  resolve(input: SmsProviderInput): Promise<ActiveSms>;
}

interface SmsProviderDeps {
  readonly environment: SmsEnvironment | undefined;
  readonly store: ConnectionStore;
  readonly revisions: Revisions;
  readonly guard: SsrfGuard;
  readonly clock: Clock;
}

const defaultRules: SmsRules = { countryCode: null, allowedCodes: [], maxPerDay: 200 };
const noConnection = {
  kind: null,
  url: null,
  user: null,
  from: null,
  method: 'POST',
  headers: '',
  format: 'json',
  body: '',
  sentText: null,
} as const;

export const makeSmsProvider = ({
  environment,
  store,
  revisions,
  guard,
  clock,
}: SmsProviderDeps): SmsProvider => {
  const load = async (): Promise<{ view: SmsProviderView; config: ActiveSms | undefined }> => {
    const stored = await store.load();
    const { rules, connection: own } = parseSmsSettings(stored);
    const { secret: fixedSecret, ...fixed } = environment ?? {};
    const connection = environment ? (fixed as SmsConnection) : own;
    if (!connection)
      return {
        view: { ...noConnection, ...rules, hasSecret: false, fixed: null, isComplete: false },
        config: undefined,
      };
    const secret = environment ? fixedSecret : store.openSecret(stored, placeOfSmsProvider(connection));
    const isComplete = secret !== undefined || !needsSecret(connection);
    return {
      view: {
        ...connection,
        ...rules,
        hasSecret: secret !== undefined,
        isComplete,
        fixed: environment ? 'SMS_PROVIDER' : null,
      },
      config: isComplete ? { connection, secret, rules } : undefined,
    };
  };
  const cached = makeRevisionCache({ revisions, maxSize: 1, load });
  const draft = (actor: Actor, detail: AuditDetail) => draftAudit(actor, 'setting.sms', clock.now(), detail);

  const accept = (input: SmsProviderInput): { connection: SmsConnection; rules: SmsRules } => {
    const { connection, rules } = splitSmsSettings(input);
    if (environment) {
      const { secret: _, ...fixed } = environment;
      if (Object.entries(fixed).some(([name, value]) => value !== connection[name as keyof SmsConnection]))
        throw new Refusal('setting-fixed', 'SMS_PROVIDER is set, and can not be changed here');
    } else checkSmsConnection(connection, guard);
    return { connection, rules };
  };

  const resolve = async (input: SmsProviderInput): Promise<ActiveSms> => {
    const { connection, rules } = accept(input);
    if (environment) return { connection, secret: environment.secret, rules };
    const secret = input.secret ?? store.openSecret(await store.load(), placeOfSmsProvider(connection));
    if (secret === undefined && needsSecret(connection)) throw secretRequired();
    if (secret !== undefined) checkSmsSecret(connection, secret);
    return { connection, secret, rules };
  };

  return {
    current: () => {
      const loaded = cached('settings');
      return loaded instanceof Promise ? loaded.then(({ config }) => config) : loaded.config;
    },
    view: async () => (await cached('settings')).view,
    save: async (input, actor) => {
      const { connection, rules } = await resolve(input);
      const settings = environment ? rules : { ...connection, ...rules };
      const secret = environment || !needsSecret(connection) ? null : input.secret;
      const place = placeOfSmsProvider(connection);
      const before = parseSmsSettings(await store.load());
      const audit = draft(actor, {
        ...describeSmsChange(input, before),
        ...(input.secret && { secret: true }),
      });
      if (!(await store.save({ ...settings }, place, secret, audit))) throw secretRequired();
    },
    remove: async (actor) => {
      if (!(await store.remove(draft(actor, { removed: true }))))
        throw new Refusal('not-found', 'nothing is set up', 'missing');
    },
    resolve,
  };
};

const secretRequired = (): Refusal =>
  new Refusal('sms-secret-required', 'a stored secret is not sent anywhere else: enter it again');

/** Checks values as if they were entered. Throws `Refusal`. */
export const checkSmsConnection = (connection: SmsConnection, guard: Pick<SsrfGuard, 'check'>): void => {
  checkPublicAddress(guard, connection.url);
  checkSmsRequest(connection);
};

/** Without control characters; in a header only with those that a header can have. */
export const checkSmsSecret = ({ headers }: SmsConnection, secret: string): void => {
  const allowed = headers.includes('{secret}') ? /^[\x20-\x7e]+$/ : /^[^\p{Cc}\p{Cs}]+$/u;
  if (!allowed.test(secret))
    throw new Refusal('sms-secret-invalid', 'the secret has invalid characters', 'invalid');
};

/** Where a secret may be sent, and where in a request it stands. */
export const placeOfSmsProvider = (connection: SmsConnection): string => {
  const { kind, url, user } = connection;
  return JSON.stringify([kind, new URL(url).origin, user, ...secretPlaces(connection)]);
};

/** For the audit log: the provider, and which parts of its settings are new. */
export const describeSmsChange = (
  settings: SmsSettings,
  { connection, rules }: ReturnType<typeof parseSmsSettings>,
): AuditDetail => {
  const before: Partial<SmsSettings> = { ...connection, ...rules };
  const isNew = (...names: (keyof SmsSettings)[]): boolean =>
    names.some((name) => JSON.stringify(settings[name]) !== JSON.stringify(before[name]));
  return {
    kind: settings.kind,
    host: new URL(settings.url).hostname,
    ...(isNew('url', 'user', 'method', 'headers', 'format', 'body', 'sentText') && { request: true }),
    ...(isNew('from') && { sender: settings.from }),
    ...(isNew('countryCode', 'allowedCodes') && { countries: true }),
    ...(isNew('maxPerDay') && { maxPerDay: settings.maxPerDay }),
  };
};

/** The provider, and the rules, of settings. */
export const splitSmsSettings = (settings: SmsSettings): { connection: SmsConnection; rules: SmsRules } => {
  const { kind, url, user, from, method, headers, format, body, sentText } = settings;
  const { countryCode, allowedCodes, maxPerDay } = settings;
  return {
    connection: { kind, url, user, from, method, headers, format, body, sentText },
    rules: { countryCode, allowedCodes, maxPerDay },
  };
};

/** What is stored, as far as it is known here. Without a provider the environment has set it. */
export const parseSmsSettings = (
  stored: StoredConnection | undefined,
): { rules: SmsRules; connection: SmsConnection | undefined } => {
  const settings = stored?.settings ?? {};
  const text = (name: string): string | null => {
    const value = settings[name];
    return typeof value === 'string' ? value : null;
  };
  const { allowedCodes, maxPerDay } = settings;
  const kind = smsKinds.find((known) => known === settings['kind']);
  const url = text('url');
  const method = (['PUT', 'GET'] as const).find((known) => known === settings['method']) ?? 'POST';
  return {
    rules: {
      countryCode: text('countryCode'),
      allowedCodes: Array.isArray(allowedCodes)
        ? allowedCodes.filter((code) => typeof code === 'string')
        : defaultRules.allowedCodes,
      maxPerDay: typeof maxPerDay === 'number' ? maxPerDay : defaultRules.maxPerDay,
    },
    connection:
      kind === undefined || url === null || !URL.canParse(url)
        ? undefined
        : {
            kind,
            url,
            user: text('user'),
            from: text('from'),
            method,
            headers: text('headers') ?? '',
            body: text('body') ?? '',
            sentText: text('sentText'),
            format: settings['format'] === 'form' ? 'form' : 'json',
          },
  };
};
