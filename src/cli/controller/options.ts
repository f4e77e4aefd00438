import type { Command } from 'commander';
import { SettingsError } from '../../controllers/errors.js';
import { defaultMaxCalls, parseFingerprint, pickCertificates } from '../../controllers/https/settings.js';
import {
  checkControllerSettings,
  controllerKinds,
  requiredCredentials,
  settingNamesOf,
  toOptionName,
} from '../../controllers/kinds.js';
import { mikrotikDefaults } from '../../controllers/mikrotik/settings.js';
import { radiusDefaults } from '../../controllers/radiusSql/settings.js';
import { simulatedFaults } from '../../controllers/simulated/settings.js';
import { readGivenFile } from '../givenFile.js';
import { CommandError, parseWholeNumber } from '../io.js';

/** The options of a command line as commander parsed them. */
export type ParsedOptions = Readonly<Record<string, unknown>>;

/** An option that becomes a setting of a controller. */
interface SettingOption {
  readonly option: string;
  readonly value: string;
  readonly help: string;
  /** What a new controller gets without it, for the help. */
  readonly whenAbsent?: string;
  readonly setting: string;
  /** A setting that this one removes. */
  readonly replaces?: string;
  readonly needed?: boolean;
  read(text: string): unknown;
}

const simulatedOptions: readonly SettingOption[] = [
  {
    option: 'latency-ms',
    value: '<number>',
    help: 'simulated: how long it takes to answer',
    setting: 'latencyMs',
    read: (text) => parseWholeNumber('--latency-ms', text, 0, 600_000),
  },
  {
    option: 'fault',
    value: '<fault>',
    help: `simulated: what it does wrong, one of: ${simulatedFaults.join(', ')}`,
    setting: 'fault',
    read: (text) => text,
  },
];

/** The options of every kind that is reached over HTTPS. */
const connectionOptions: readonly SettingOption[] = [
  {
    option: 'url',
    value: '<address>',
    help: 'its address, such as https://192.168.1.1; radius-sql: its database, such as postgresql://192.168.1.5/radius',
    setting: 'url',
    needed: true,
    read: (text) => text.trim(),
  },
  {
    option: 'fingerprint',
    value: '<sha-256>',
    help: 'trust only the certificate with this fingerprint',
    setting: 'fingerprint',
    replaces: 'ca',
    read: parseFingerprint,
  },
  {
    option: 'ca-file',
    value: '<file>',
    help: 'trust the certificates in this file (PEM), not those of the system',
    setting: 'ca',
    replaces: 'fingerprint',
    read: (file) => readCertificates(file),
  },
  {
    option: 'max-calls',
    value: '<number>',
    help: 'how many calls it gets at a time, 1 to 64',
    whenAbsent: String(defaultMaxCalls),
    setting: 'maxCalls',
    read: (text) => parseWholeNumber('--max-calls', text, 1, 64),
  },
];

/** The options for the database of FreeRADIUS, besides its address and its CA. */
const radiusOptions: readonly SettingOption[] = [
  {
    option: 'tls',
    value: '<off|system>',
    help: 'radius-sql: encrypt the connection, with a certificate that the system trusts; --ca-file encrypts it, too',
    whenAbsent: radiusDefaults.tls,
    setting: 'tls',
    read: (text) => text,
  },
  {
    option: 'rates',
    value: '<yes|no>',
    help: 'radius-sql: whether the access points keep WISPr rates',
    whenAbsent: radiusDefaults.rates,
    setting: 'rates',
    read: (text) => text,
  },
  {
    option: 'disconnect-port',
    value: '<number>',
    help: 'radius-sql: where access points listen for Disconnect-Requests (RFC 5176)',
    whenAbsent: String(radiusDefaults.disconnectPort),
    setting: 'disconnectPort',
    read: (text) => parseWholeNumber('--disconnect-port', text, 1, 65_535),
  },
];

const mikrotikOptions: readonly SettingOption[] = [
  {
    option: 'user-manager',
    value: '<yes|no>',
    help: 'mikrotik: whether vouchers are made in User Manager where the router has it, or always as users of the hotspot',
    whenAbsent: mikrotikDefaults.userManager,
    setting: 'userManager',
    read: (text) => text,
  },
];

const allSettingOptions = [...connectionOptions, ...simulatedOptions, ...radiusOptions, ...mikrotikOptions];

const settingOptionsFor = (kind: string): readonly SettingOption[] =>
  allSettingOptions.filter(({ setting }) => settingNamesOf(kind).includes(setting));

/** Credentials that are not secret, so they may be arguments. */
const publicCredentials: readonly string[] = ['username', 'clientId'];

/** Whether a credential is not secret. */
export const isPublicCredential = (credential: string): boolean => publicCredentials.includes(credential);

const toOptionKey = (option: string): string =>
  option.replaceAll(/-([a-z])/g, (_, lower: string) => lower.toUpperCase());

/** The value of an option; undefined when it was not given. */
export const getOption = (options: ParsedOptions, option: string): string | undefined => {
  const value = options[toOptionKey(option)];
  return typeof value === 'string' ? value : undefined;
};

const credentialOptions = (credential: string): string[] => {
  const option = toOptionName(credential);
  return isPublicCredential(credential) ? [option] : [`${option}-file`, `${option}-env`];
};

/** What each credential is, for each kind that has it. */
const allCredentials = (): [credential: string, what: string][] => {
  const all = new Map<string, string[]>();
  for (const kind of controllerKinds)
    for (const [credential, { what, hint }] of Object.entries(requiredCredentials(kind))) {
      const text = `${kind}: ${hint === undefined ? what : `${what}, ${hint}`}`;
      all.set(credential, [...(all.get(credential) ?? []), text]);
    }
  return [...all].map(([credential, texts]) => [credential, texts.join('; ')]);
};

/** Adds the options of all settings to a command. */
export const addSettingOptions = (command: Command, { isNew }: { readonly isNew: boolean }): Command => {
  for (const { option, value, help, whenAbsent } of allSettingOptions)
    command.option(
      `--${option} ${value}`,
      // A controller that is changed keeps what is not given.
      isNew && whenAbsent !== undefined ? `${help} (default: ${whenAbsent})` : help,
    );
  return command;
};

/** Adds the options of all credentials to a command; a secret is never an argument. */
export const addCredentialOptions = (command: Command): Command => {
  for (const [credential, what] of allCredentials()) {
    const option = toOptionName(credential);
    if (isPublicCredential(credential)) command.option(`--${option} <${option}>`, what);
    else
      command
        .option(`--${option}-file <file>`, `the file with it, or - for standard input. ${what}`)
        .option(
          `--${option}-env <variable>`,
          'the variable with it; without both the command prompts for it',
        );
  }
  return command;
};

/** Refuses options that a kind does not take. */
export const refuseForeignOptions = (kind: string, options: ParsedOptions): void => {
  const taken = new Set([
    ...settingOptionsFor(kind).map(({ option }) => option),
    ...Object.keys(requiredCredentials(kind)).flatMap(credentialOptions),
  ]);
  const all = [
    ...allSettingOptions.map(({ option }) => option),
    ...allCredentials().flatMap(([credential]) => credentialOptions(credential)),
  ];
  const other = all.find((option) => !taken.has(option) && getOption(options, option) !== undefined);
  if (other !== undefined)
    throw new CommandError('options-conflict', `a controller of the kind ${kind} does not take --${other}`);
};

/** The names of the options for a kind's settings. */
export const listSettingOptionNames = (kind: string): string[] =>
  settingOptionsFor(kind).map(({ option }) => option);

/** Applies the options to the earlier settings, and checks the result. */
export const readControllerSettings = async (
  kind: string,
  options: ParsedOptions,
  earlier: ParsedOptions = {},
): Promise<Record<string, unknown>> => {
  if (getOption(options, 'fingerprint') !== undefined && getOption(options, 'ca-file') !== undefined)
    throw new CommandError(
      'options-conflict',
      '--fingerprint and --ca-file exclude each other: one of them decides who is trusted',
    );
  const taken = settingOptionsFor(kind);
  const replaced = taken.flatMap(({ option, replaces = '' }) =>
    getOption(options, option) === undefined ? [] : [replaces],
  );
  const settings: Record<string, unknown> = Object.fromEntries(
    Object.entries(earlier).filter(([setting]) => !replaced.includes(setting)),
  );
  for (const { option, setting, needed, read } of taken) {
    const text = getOption(options, option);
    if (text !== undefined) settings[setting] = await withOptionNames(async () => read(text));
    else if (needed && settings[setting] === undefined)
      throw new CommandError(
        'option-missing',
        `--${option} is missing: a controller of the kind ${kind} needs it`,
      );
  }
  await withOptionNames(async () => checkControllerSettings({ kind, settings }));
  return settings;
};

/** Turns a `SettingsError`, which names a setting, into a `CommandError` that names its option. */
export const withOptionNames = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SettingsError)
      throw new CommandError('option-invalid', `--${error.code}: ${error.detail}`);
    throw error;
  }
};

/** Reads only the certificates, because the file may hold a private key too. */
const readCertificates = async (file: string): Promise<string> =>
  pickCertificates(await readGivenFile('--ca-file', file));
