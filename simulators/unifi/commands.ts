import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { Argument, Option, type Command } from 'commander';
import { toQuotedWord } from '../../src/lib/commandLine.js';
import { CommandError, parseWholeNumber, type Io } from '../../src/cli/io.js';
import type { Signals } from '../../src/lib/signals.js';
import { collect, optionalNumber, readOffset, runSimulatedController } from '../simulatedController.js';
import { startUnifiConsole, type UnifiConsole } from './console.js';
import { faultTexts } from './faults.js';
import { isJsonObject, parseJson } from './router.js';
import { resolveSettings, type ConsoleOptions } from './settings.js';

interface ConsoleCommandOptions {
  variant: 'unifi-os' | 'self-hosted';
  host: string;
  port: string;
  site?: string[];
  version?: string;
  twoFactor?: boolean;
  readOnly?: boolean;
  legacyErrors?: boolean;
  csrf: 'header' | 'updated-header' | 'jwt' | 'none';
  unknownDelete: 'not-found' | 'zero';
  sessionMinutes?: string;
  loginLimit?: string;
  maxPage?: string;
  hideNewMs?: string;
  note: keyof typeof noteKeepers;
  clockOffsetS?: string;
  redirect?: string;
  seed?: string;
  json?: boolean;
}

/** `voucherd-simulator unifi`: a console that runs until it is stopped. */
export const addUnifiCommand = (program: Command, io: Io, signals: Signals): void => {
  const choice = (flags: string, text: string, choices: readonly string[]): Option =>
    new Option(flags, text).choices(choices).default(choices[0]);
  program
    .command('unifi')
    .description('Start a simulated UniFi console and say how voucherd reaches it')
    .addOption(choice('--variant <variant>', 'which kind of console', ['unifi-os', 'self-hosted']))
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--port <number>', 'where it listens; 0 is any free port', '8443')
    .option('--site <reference=name>', 'a site; may be repeated (default: default=Default)', collect)
    .option('--version <version>', 'version of the Network application')
    .option('--two-factor', 'the account wants a second factor, which is 123456')
    .option('--read-only', 'account and API key may not create vouchers')
    .option('--legacy-errors', 'refuses logins as old firmware does')
    .addOption(
      choice('--csrf <place>', 'where UniFi OS tells the CSRF token', [
        'header',
        'updated-header',
        'jwt',
        'none',
      ]),
    )
    .addOption(
      choice('--unknown-delete <answer>', 'Integration API: what deleting an unknown voucher answers', [
        'not-found',
        'zero',
      ]),
    )
    .option('--session-minutes <number>', 'how long a login lasts (default: 120)')
    .option('--login-limit <number>', 'UniFi OS: logins per minute (default: 5)')
    .option('--max-page <number>', 'Integration API: the most items in one answer')
    .option('--hide-new-ms <number>', 'classic API: how long it does not list what was just created')
    .addOption(choice('--note <how>', 'classic API: what it keeps of a note', Object.keys(noteKeepers)))
    .option('--clock-offset-s <number>', 'by how many seconds its clock is wrong; may be negative')
    .option('--redirect <url>', 'answers every call with a redirect to there')
    .option('--seed <number>', 'begins with that many vouchers')
    .option('--json', 'print address, certificate and credentials as JSON')
    .action((given: ConsoleCommandOptions) => runConsole(io, signals, given));
};

/** How a console may shorten a note. */
const noteKeepers = {
  whole: (note: string) => note,
  trimmed: (note: string) => note.trim().replaceAll(/\s+/g, ' '),
  cut: (note: string) => note.slice(0, 24),
  composed: (note: string) => note.normalize('NFC'),
};

const runConsole = async (io: Io, signals: Signals, given: ConsoleCommandOptions): Promise<void> => {
  const options = readOptions(given);
  await runSimulatedController({
    io,
    signals,
    given,
    start: () => startUnifiConsole(options),
    describe: ({ url, cloudUrl, fingerprint, certificate, apiKey, cloudApiKey, username, password }) => ({
      url,
      cloudUrl,
      fingerprint,
      certificate,
      apiKey,
      cloudApiKey,
      username,
      password,
    }),
    introduce: (running) => introduction(running, options),
  });
};

const readOptions = (given: ConsoleCommandOptions): ConsoleOptions => {
  const { variant, host, version, redirect, csrf, unknownDelete } = given;
  const sessionMinutes = optionalNumber('--session-minutes', given.sessionMinutes, 100_000);
  const loginLimit = optionalNumber('--login-limit', given.loginLimit, 1_000_000);
  const maxPage = optionalNumber('--max-page', given.maxPage, 1_000_000);
  const hideNewMs = optionalNumber('--hide-new-ms', given.hideNewMs, 3_600_000);
  const offsetMs = readOffset(given.clockOffsetS) * 1000;
  return {
    variant,
    host,
    port: parseWholeNumber('--port', given.port, 0, 65_535),
    csrf,
    unknownDelete,
    twoFactor: given.twoFactor ?? false,
    readOnly: given.readOnly ?? false,
    legacyErrors: given.legacyErrors ?? false,
    clock: () => Date.now() + offsetMs,
    keepNote: noteKeepers[given.note],
    ...(given.site && { sites: given.site.map(readSite) }),
    ...(version !== undefined && { version: readVersion(version) }),
    ...(sessionMinutes !== undefined && { sessionTtlMs: sessionMinutes * 60_000 }),
    ...(loginLimit !== undefined && { loginLimit }),
    ...(maxPage !== undefined && { maxPage }),
    ...(hideNewMs !== undefined && { hideNewMs }),
    ...(redirect !== undefined && { redirect }),
  };
};

const readSite = (text: string): { reference: string; name: string } => {
  const [reference = '', ...rest] = text.split('=');
  if (!/^[\w-]+$/.test(reference)) {
    throw new CommandError(
      'option-invalid',
      `--site: "${text}" is not allowed: a reference of letters and digits, =, and a name`,
    );
  }
  return { reference, name: rest.join('=') || reference };
};

const readVersion = (text: string): string => {
  if (!/^\d+\.\d+\.\d+$/.test(text)) {
    throw new CommandError(
      'option-invalid',
      `--version: "${text}" is not allowed: three numbers such as 10.5.66`,
    );
  }
  return text;
};

/** Describes the console and prints the commands that add it to voucherd. */
const introduction = (running: UnifiConsole, options: ConsoleOptions): string => {
  const { url, fingerprint, apiKey, username, password } = running;
  const { variant, version, sites } = resolveSettings(options);
  const trust = `--url ${url} --fingerprint ${fingerprint}`;
  const addSites = (controller: string): string =>
    sites
      .map(
        ({ reference, name }) =>
          `  npx voucherd site add --name ${toQuotedWord(name)} --controller ${controller} --controller-site ${reference}\n`,
      )
      .join('');
  return `Simulated UniFi console (${variant === 'unifi-os' ? 'UniFi OS' : 'self-hosted'}, Network ${version})

  address      ${url}
  fingerprint  ${fingerprint}
  API key      ${apiKey}
  user         ${username}
  password     ${password}
  cloud        ${running.cloudUrl}
  cloud key    ${running.cloudApiKey}

Its vouchers, and faults to choose from: ${url}/simulator

Add it with the API key:

  KEY=${apiKey} npx voucherd controller add --name Konsole --kind unifi ${trust} --api-key-env KEY
${addSites('Konsole')}
or, instead, with user and password (one console is one controller):

  PASSWORD=${password} npx voucherd controller add --name Klassisch --kind unifi-classic ${trust} --username ${username} --password-env PASSWORD
${addSites('Klassisch')}
`;
};

interface AddressOptions {
  url: string;
}

/** The commands that do to a console that runs elsewhere what its page does. */
export const addActionCommands = (program: Command, io: Io): void => {
  const action = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--url <address>', 'where the console listens', 'https://127.0.0.1:8443');

  action('use', 'Let a guest use a voucher of a simulated console')
    .argument('<code>', 'the code, with or without its dash')
    .option('--guests <number>', 'how many guests', '1')
    .action(async (code: string, { url, guests }: AddressOptions & { guests: string }) => {
      const number = parseWholeNumber('--guests', guests, 1, 1_000_000);
      await act(url, 'use', { code, guests: String(number) });
      io.out(`${code} used\n`);
    });

  action('delete', 'Delete a voucher of a simulated console')
    .argument('<code>', 'the code, with or without its dash')
    .action(async (code: string, { url }: AddressOptions) => {
      await act(url, 'delete', { code });
      io.out(`${code} deleted\n`);
    });

  action('fault', 'Make a simulated console fail, or work again with `none`')
    .addArgument(new Argument('<kind>', 'what goes wrong').choices(['none', ...Object.keys(faultTexts)]))
    .addOption(
      new Option('--on <calls>', 'which calls').choices(['create', 'delete', 'all']).default('create'),
    )
    .option('--times <number>', 'how often; always if it is not said')
    .option('--delay-ms <number>', 'how late, for those that are late')
    .action(
      async (kind: string, options: AddressOptions & { on: string; times?: string; delayMs?: string }) => {
        const { url, on, times, delayMs } = options;
        const whole = (name: string, given: string | undefined): string =>
          given === undefined ? '' : String(parseWholeNumber(name, given, 1, 999_999_999));
        await act(url, 'fault', {
          kind: kind === 'none' ? '' : kind,
          on,
          times: whole('--times', times),
          delayMs: whole('--delay-ms', delayMs),
        });
        io.out(kind === 'none' ? 'in order\n' : `out of order: ${kind}\n`);
      },
    );
};

const act = async (url: string, action: string, form: Readonly<Record<string, string>>): Promise<void> => {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new CommandError(
      'option-invalid',
      `--url: "${url}" is not allowed: an address that begins with https://`,
    );
  const { status, body } = await post(new URL(`/simulator/${action}`, url), form);
  if (status === 200) return;
  const answer = parseJson(body);
  throw new CommandError(
    'controller-failed',
    isJsonObject(answer) && typeof answer['error'] === 'string'
      ? answer['error']
      : `what listens at ${url} is no simulated console`,
  );
};

const post = (url: URL, form: Readonly<Record<string, string>>): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    // Its certificate changes at every start, and nothing secret is sent.
    const sent = request(url, { method: 'POST', headers, agent: false, rejectUnauthorized: false }, (res) => {
      text(res).then((body) => resolve({ status: res.statusCode ?? 0, body }), reject);
    });
    sent.on('error', reject);
    sent.setTimeout(10_000, () =>
      sent.destroy(new CommandError('controller-failed', `${url.origin} does not answer`)),
    );
    sent.end(new URLSearchParams(form).toString());
  });
