import type { Command } from 'commander';
import { isPageLanguage, pageLanguages, type PageLanguage } from '../../i18n/language.js';
import { nodeSystem } from '../../lib/system.js';
import type { Auth } from '../../auth/auth.js';
import { roles } from '../../users/roles.js';
import type { User } from '../../users/users.js';
import type { Tables } from '../../app/tables.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import {
  CommandError,
  formatTime,
  formatTimestamp,
  makeAddCommand,
  printList,
  type Io,
  type JsonOption,
} from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findSite, notFound } from '../lookup.js';
import { createDatabaseOption, whenGivenYes, type WithoutDatabase } from '../newDatabase.js';
import { commandLineActor as actor, makeSilentLog, withTables } from '../openTables.js';
import { readRequiredSecret } from '../secretInput.js';

interface PasswordOptions {
  passwordFile?: string;
  passwordEnv?: string;
  generate?: boolean;
}

interface CreateUserOptions extends PasswordOptions, JsonOption {
  name: string;
  role: string;
  email?: string;
  language?: string;
  site?: string[];
  yes?: boolean;
}

interface ChangeUserOptions extends JsonOption {
  name?: string;
  /** False to remove it. */
  email?: string | false;
}

/** Adds the commands that create, list and change users. */
export const addUserCommands = (user: Command, io: Io): void => {
  const command = makeAddCommand(user);
  const named = (name: string, description: string): Command =>
    command(name, description).argument('<name>', nameArgument);
  addPasswordOptions(
    command('create', 'Create a user. A generated password is printed once, alone, on standard output')
      .requiredOption('--name <name>', 'what they sign in with, 1 to 100 characters')
      .requiredOption(
        '--role <role>',
        'admin (everything), staff (vouchers of the sites assigned to them) or viewer (reads there)',
      )
      .option('--email <address>', 'e-mail address; they can sign in with it too')
      .option(
        '--language <language>',
        `language of the web UI, one of: ${pageLanguages.join(', ')}; otherwise the browser decides`,
      )
      .option('--site <ids...>', 'ids of the sites assigned to staff and viewers, as `site list` shows them'),
  )
    .option(...createDatabaseOption)
    .action((options: CreateUserOptions) => createUser(io, options));
  command('list', 'List all users, disabled ones too').action((options: JsonOption) =>
    listUsers(io, options.json),
  );
  named('change', 'Change the name or the e-mail address of a user. Their sessions go on')
    .option('--name <name>', 'what they sign in with from now on, 1 to 100 characters')
    .option('--email <address>', 'e-mail address; they can sign in with it too')
    .option('--no-email', 'remove the e-mail address')
    .action((name: string, options: ChangeUserOptions) => renameUser(io, name, options));
  named('role', 'Give a user another role; they have to sign in again')
    .argument('<role>', 'admin, staff or viewer')
    .action((name: string, given: string, { json }: JsonOption) => {
      const role = parseRole('role', given);
      return changeUser(io, name, json, ({ users }, id) => users.setRole(id, role, actor));
    });
  named('disable', 'Keep a user from signing in, and end their sessions').action(
    (name: string, { json }: JsonOption) =>
      changeUser(io, name, json, ({ users }, id) => users.disable(id, actor)),
  );
  named('enable', 'Let a disabled user sign in again').action((name: string, { json }: JsonOption) =>
    changeUser(io, name, json, ({ users }, id) => users.enable(id, actor)),
  );
  addPasswordOptions(
    named(
      'reset-password',
      'Give a user another password, and end their sessions. A generated one is printed alone',
    ),
  ).action((name: string, options: PasswordOptions & JsonOption) => resetPassword(io, name, options));
  named(
    'reset-second-factor',
    'Remove the second factor and the recovery codes of a user, and end their sessions',
  ).action((name: string, { json }: JsonOption) =>
    changeUser(io, name, json, ({ secondFactor }, id) => secondFactor.reset(id, actor)),
  );
  named(
    'reset-single-sign-on',
    'Forget who a user is at the identity provider, and end their sessions',
  ).action((name: string, { json }: JsonOption) =>
    changeUser(io, name, json, ({ users }, id) => users.resetIdentity(id, actor)),
  );
  named('sites', 'Assign sites to a user, in place of those assigned before; without ids, show them')
    .argument('[ids...]', 'ids of sites, as `site list` shows them')
    .option('--none', 'assign no site')
    .action((name: string, ids: string[], options: { none?: boolean } & JsonOption) =>
      setSites(io, name, ids, options),
    );
};

const nameArgument = 'name or e-mail address of the user, as `user list` shows it';

const addPasswordOptions = (command: Command): Command =>
  command
    .option('--generate', 'generate a password, which has to be changed after the first sign-in')
    .option('--password-file <file>', 'the file with the password; - is standard input')
    .option('--password-env <variable>', 'the variable with the password');

/**
 * Opens everything about users for one command. What users are told by e-mail waits in the outbox, from where
 * the service sends it.
 */
const withAuth = <T>(
  io: Io,
  use: (auth: Auth, tables: Tables) => Promise<T>,
  withoutDatabase?: WithoutDatabase,
): Promise<T> =>
  withTables(
    io,
    async ({ config, database, tables, clock }) => {
      const { makeAccountServices } = await import('../../app/accountServices.js');
      const { openStoredSecrets } = await import('../../secrets/secretKey.js');
      const { makeRotationSafeWriter } = await import('../../secrets/rotationSafeWriter.js');
      const log = await makeSilentLog();
      const system = { ...nodeSystem, now: clock.now };
      const secrets = () => openStoredSecrets(config, system);
      const rotationSafeWriter = makeRotationSafeWriter(config, tables.sealed, system);
      const deps = { config, database, tables, system, log, secrets, rotationSafeWriter };
      const { auth, accountMail } = makeAccountServices(deps, io.passwordCost);
      const result = await use(auth, tables);
      if (!(await accountMail.settled()))
        io.err('the user could not be told by e-mail: see the settings of the mail server\n');
      return result;
    },
    withoutDatabase,
  );

const parseRole = (option: string, text: string): User['role'] => {
  const role = roles.find((known) => known === text);
  if (role) return role;
  throw new CommandError(
    'option-invalid',
    `${option}: "${sanitizeLine(text.slice(0, 40))}" is not allowed: admin, staff or viewer`,
  );
};

const parseLanguage = (text: string | undefined): PageLanguage | null => {
  if (text === undefined) return null;
  if (isPageLanguage(text)) return text;
  throw new CommandError(
    'option-invalid',
    `--language: "${sanitizeLine(text.slice(0, 40))}" is not allowed: ${pageLanguages.join(', ')}`,
  );
};

/** The given password; undefined when one is to be generated. */
const readPassword = async (
  io: Io,
  { generate, passwordFile: file, passwordEnv: env }: PasswordOptions,
): Promise<string | undefined> => {
  if (generate) {
    if (file === undefined && env === undefined) return undefined;
    throw new CommandError('options-conflict', '--generate excludes --password-file and --password-env');
  }
  return readRequiredSecret(io, 'the password', { option: 'password', file, env, isPassword: true });
};

const findUser = async ({ users }: Auth, name: string): Promise<User> => {
  const user = await users.findByName(name);
  if (user) return user;
  throw notFound('unknown-user', `there is no user named "${sanitizeLine(name.slice(0, 100))}"`, 'user list');
};

const createUser = async (io: Io, options: CreateUserOptions): Promise<void> => {
  const role = parseRole('--role', options.role);
  const language = parseLanguage(options.language);
  const given = await readPassword(io, options);
  const { generatePassword } = await import('../../users/passwords.js');
  const password = given ?? generatePassword(nodeSystem);
  const isGenerated = given === undefined;
  const create = async ({ users }: Auth, tables: Tables): Promise<User> => {
    const siteIds = await findSiteIds(tables, options.site ?? [], '--site');
    const { name, email = null } = options;
    const input = { name, email, role, password, passwordIsTemporary: isGenerated, language, siteIds };
    return users.create(input, actor);
  };
  const user = await withAuth(io, create, whenGivenYes(options.yes));
  if (options.json) io.out(`${JSON.stringify({ ...toJson(user), ...(isGenerated && { password }) })}\n`);
  else io.out(`${isGenerated ? password : sanitizeLine(user.name)}\n`);
};

const stateOf = ({ disabledAt }: User): string => (disabledAt === null ? 'enabled' : 'disabled');

const toJson = (user: User) => ({
  ...user,
  disabledAt: formatTimestamp(user.disabledAt),
  createdAt: formatTimestamp(user.createdAt),
  lastSignInAt: formatTimestamp(user.lastSignInAt),
  state: stateOf(user),
});

const listUsers = (io: Io, json: boolean | undefined): Promise<void> =>
  withAuth(io, async ({ users }) => {
    printList(
      io,
      json,
      (await users.list()).map(toJson),
      (user) => ({
        name: user.name,
        email: user.email ?? '-',
        role: user.role,
        sites: user.role === 'admin' ? 'all' : user.siteIds.join(', ') || 'none',
        'second factor': user.hasSecondFactor ? 'yes' : 'no',
        created: formatTime(user.createdAt),
        'last sign-in': formatTime(user.lastSignInAt),
        state: user.state,
      }),
      `no users yet: ${formatCommandLine('user create --name N --role admin')}`,
    );
  });

/** Changes a user and prints what they are then. */
const changeUser = (
  io: Io,
  name: string,
  json: boolean | undefined,
  change: (auth: Auth, userId: number, tables: Tables) => Promise<unknown>,
): Promise<void> =>
  withAuth(io, async (auth, tables) => {
    const { id } = await findUser(auth, name);
    await change(auth, id, tables);
    const user = (await auth.users.list()).find((known) => known.id === id);
    if (user) io.out(json ? `${JSON.stringify(toJson(user))}\n` : formatUser(user));
  });

const renameUser = async (io: Io, name: string, options: ChangeUserOptions): Promise<void> => {
  const { name: newName, email, json } = options;
  if (newName === undefined && email === undefined)
    throw new CommandError('option-missing', 'nothing to change: give --name, --email or --no-email');
  await changeUser(io, name, json, ({ users }, id) =>
    users.update(
      id,
      {
        ...(newName !== undefined && { name: newName }),
        ...(email !== undefined && { email: email === false ? null : email }),
      },
      actor,
    ),
  );
};

/** A user in one line. */
const formatUser = (user: User): string => {
  const sites = user.role === 'admin' ? '' : `, sites: ${user.siteIds.join(', ') || 'none'}`;
  const factor = user.hasSecondFactor ? 'with' : 'without';
  return `${sanitizeLine(user.name)}: ${user.role}, ${stateOf(user)}, ${factor} second factor${sites}\n`;
};

const resetPassword = (io: Io, name: string, options: PasswordOptions & JsonOption): Promise<void> =>
  withAuth(io, async (auth) => {
    const { id, name: found } = await findUser(auth, name);
    const given = await readPassword(io, options);
    const generated = given === undefined ? await auth.users.resetPassword(id, actor) : undefined;
    if (given !== undefined) await auth.users.setPassword(id, given, actor);
    if (options.json)
      io.out(
        `${JSON.stringify({ id, name: found, ...(generated !== undefined && { password: generated }) })}\n`,
      );
    else io.out(`${generated ?? `${sanitizeLine(found)} has another password`}\n`);
  });

const setSites = async (
  io: Io,
  name: string,
  ids: readonly string[],
  { none, json }: { none?: boolean } & JsonOption,
): Promise<void> => {
  if (none && ids.length > 0) throw new CommandError('options-conflict', '--none excludes ids of sites');
  return changeUser(io, name, json, async ({ users }, id, tables) => {
    const siteIds = await findSiteIds(tables, ids);
    if (none || siteIds.length > 0) await users.setSites(id, siteIds, actor);
  });
};

const findSiteIds = async (tables: Tables, given: readonly string[], option?: string): Promise<number[]> => {
  const sites = await Promise.all(given.map((id) => findSite(tables, id, option)));
  return sites.map(({ id }) => id);
};
