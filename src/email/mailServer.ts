import type { MailConfig, MailEnvironment } from '../config/mailEnvironment.js';
import { isSender } from '../config/mailEnvironment.js';
import type { ConnectionStore } from '../connections/connectionStore.js';
import type { StoredConnection } from '../connections/connectionTable.js';
import { makeRevisionCache, type Revisions } from '../database/revisions.js';
import { Refusal } from '../errors/problem.js';
import type { Awaitable } from '../lib/awaitable.js';
import type { Clock } from '../lib/system.js';
import { checkServerHost } from '../ssrf/serverAddress.js';
import { draftAudit, type Actor } from '../audit/audit.js';

export const mailSecurities = ['tls', 'starttls', 'opportunistic'] as const;
/** TLS from the start; STARTTLS, or nothing is sent; STARTTLS where the server offers it. */
export type MailSecurity = (typeof mailSecurities)[number];
import { decode } from './smtpSecrets.js';

/**
 * What administrators set. Parts that the environment sets may be left out,
 * and count only where they are equal.
 */
export interface MailServerInput {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** Null for a server that asks nobody to sign in. */
  readonly user: string | null;
  /** Undefined keeps the stored one; null removes it. */
  readonly password?: string | null | undefined;
  readonly from: string;
}

type Settings = Omit<MailServerInput, 'password'>;

/** The mail server as it is set up, without its password. */
export interface MailServerView {
  readonly host: string | null;
  readonly port: number | null;
  readonly security: MailSecurity;
  readonly user: string | null;
  readonly hasPassword: boolean;
  readonly from: string | null;
  /** By which variable parts are set that can't be changed here. */
  readonly fixed: Readonly<Partial<Record<'server' | 'from', string>>>;
  /** Can e-mails be sent? */
  readonly isComplete: boolean;
}

/**
 * The mail server: what the environment sets of it, and
 * what administrators set otherwise. All throw `Refusal`.
 */
export interface MailServer {
  /**
   * What e-mails are sent through; undefined while it is not set up.
   * Changes of any process count within a second.
   */
  current(): Awaitable<MailConfig | undefined>;
  view(): Promise<MailServerView>;
  save(input: MailServerInput, actor: Actor): Promise<void>;
  remove(actor: Actor): Promise<void>;
  /** What would be used if this was saved. */
  resolve(input: MailServerInput): Promise<MailConfig>;
}

interface MailServerDeps {
  readonly environment: MailEnvironment;
  readonly store: ConnectionStore;
  readonly revisions: Revisions;
  readonly clock: Clock;
}

export const makeMailServer = ({ environment, store, revisions, clock }: MailServerDeps): MailServer => {
  const load = async (): Promise<{ view: MailServerView; config: MailConfig | undefined }> => {
    const stored = await store.load();
    const settings = stored && parseMailSettings(stored);
    const from = environment.from ?? settings?.from ?? null;
    const fixed = {
      ...(environment.smtpUrl !== undefined && { server: 'SMTP_URL' }),
      ...(environment.from !== undefined && { from: 'MAIL_FROM' }),
    };
    if (environment.smtpUrl !== undefined) {
      const config = from === null ? undefined : { smtpUrl: environment.smtpUrl, from };
      const view = { ...describeUrl(environment.smtpUrl), from, fixed, isComplete: config !== undefined };
      return { view, config };
    }
    if (!settings || from === null || settings.host === '')
      return {
        view: { ...noServer, from, fixed, isComplete: false },
        config: undefined,
      };
    const password = store.openSecret(stored, placeOfMailServer(settings));
    // A user without a password that can be opened could only be refused by the server.
    const isComplete = settings.user === null || password !== undefined;
    const { host, port, security, user } = settings;
    return {
      view: { host, port, security, user, hasPassword: password !== undefined, from, fixed, isComplete },
      config: isComplete ? { smtpUrl: toUrl(settings, password), from, isGuarded: true } : undefined,
    };
  };
  const cached = makeRevisionCache({ revisions, maxSize: 1, load });
  const draft = (actor: Actor, settings: Settings | undefined) =>
    draftAudit(actor, 'setting.mail', clock.now(), settings ? { host: settings.host } : { removed: true });

  /** What is saved: parts that the environment sets can't be changed. */
  const accept = ({ password: _, ...input }: MailServerInput): Settings => {
    const { smtpUrl, from } = environment;
    if (from !== undefined && input.from !== from) throw fixedSetting('MAIL_FROM');
    if (!isSender(input.from))
      throw new Refusal('sender-invalid', 'the sender is not a valid e-mail address', 'invalid');
    if (smtpUrl !== undefined) {
      const { host, port, security, user } = describeUrl(smtpUrl);
      if (input.host !== host || input.port !== port || input.security !== security || input.user !== user)
        throw fixedSetting('SMTP_URL');
      return { ...input, host: '' };
    }
    checkServerHost(input.host);
    return input;
  };

  const resolve = async (input: MailServerInput): Promise<MailConfig> => {
    const settings = accept(input);
    if (environment.smtpUrl !== undefined) return { smtpUrl: environment.smtpUrl, from: settings.from };
    const { password = store.openSecret(await store.load(), placeOfMailServer(settings)) } = input;
    if (settings.user !== null && !password) throw passwordNeeded();
    if (!isPlainText(settings.user ?? ''))
      throw new Refusal('mail-user-invalid', 'the user name has invalid characters', 'invalid');
    if (!isPlainText(password ?? ''))
      throw new Refusal('mail-password-invalid', 'the password has invalid characters', 'invalid');
    return { smtpUrl: toUrl(settings, password ?? undefined), from: settings.from, isGuarded: true };
  };

  return {
    current: () => {
      const loaded = cached('settings');
      return loaded instanceof Promise ? loaded.then(({ config }) => config) : loaded.config;
    },
    view: async () => (await cached('settings')).view,
    save: async (input, actor) => {
      await resolve(input);
      const settings = accept(input);
      const hasOwnServer = environment.smtpUrl === undefined && settings.user !== null;
      const password = hasOwnServer ? input.password : null;
      if (!(await store.save({ ...settings }, placeOfMailServer(settings), password, draft(actor, settings))))
        throw passwordNeeded();
    },
    remove: async (actor) => {
      if (!(await store.remove(draft(actor, undefined))))
        throw new Refusal('not-found', 'nothing is set up', 'missing');
    },
    resolve,
  };
};

const noServer = { host: null, port: null, security: 'starttls', user: null, hasPassword: false } as const;

const fixedSetting = (variable: string): Refusal =>
  new Refusal('setting-fixed', `${variable} is set, and can not be changed here`);

const passwordNeeded = (): Refusal =>
  new Refusal(
    'mail-password-required',
    'a stored password is not sent to another server or user: enter it again',
  );

/** Where a password may be sent. */
export const placeOfMailServer = ({
  host,
  port,
  security,
  user,
}: Omit<MailServerInput, 'password' | 'from'>): string => JSON.stringify([host, port, security, user]);

/** What is stored, as far as it is known here. */
export const parseMailSettings = ({ settings }: StoredConnection): Settings => {
  const { host, port, security, user, from } = settings;
  return {
    host: typeof host === 'string' ? host : '',
    port: typeof port === 'number' ? port : 587,
    security: mailSecurities.find((known) => known === security) ?? 'starttls',
    user: typeof user === 'string' ? user : null,
    from: typeof from === 'string' ? from : '',
  };
};

/** Without control characters, and without halves of characters, which no address can have. */
const isPlainText = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

const toUrl = ({ host, port, security, user }: Settings, password: string | undefined): string => {
  const name = host.includes(':') ? `[${host}]` : host;
  const login = user === null ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`;
  const scheme = security === 'tls' ? 'smtps' : 'smtp';
  return `${scheme}://${login}${name}:${String(port)}${security === 'starttls' ? '?requireTLS=true' : ''}`;
};

/** What an address says, without its password. */
const describeUrl = (
  smtpUrl: string,
): Pick<MailServerView, 'host' | 'port' | 'security' | 'user' | 'hasPassword'> => {
  const url = new URL(smtpUrl);
  const isTls = url.protocol === 'smtps:';
  const security = url.searchParams.get('requireTLS') === 'true' ? 'starttls' : 'opportunistic';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isTls ? 465 : 587),
    security: isTls ? 'tls' : security,
    user: url.username === '' ? null : decode(url.username),
    hasPassword: url.password !== '',
  };
};
