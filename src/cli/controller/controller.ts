import { controllerAddressOf } from '../../controllers/https/settings.js';
import type { Command } from 'commander';
import { controllerKinds, controllerTrustOf } from '../../controllers/kinds.js';
import { ControllerNeeded } from '../../controllers/controllerRefusals.js';
import type { StoredController } from '../../controllers/controllerTable.js';
import type { StoredSite } from '../../sites/siteTable.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import {
  CommandError,
  counted,
  makeAddCommand,
  parseChoice,
  parseLabel,
  printList,
  type Io,
  type JsonOption,
} from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findController, formatSite } from '../lookup.js';
import { createDatabaseOption, whenGivenYes } from '../newDatabase.js';
import { commandLineActor, withTables, type OpenedTables } from '../openTables.js';
import { explainRefusals, openControllerAdministration } from './administration.js';
import { pinController, type PinControllerOptions } from './certificate.js';
import { runControllerTest, type TestControllerOptions } from './connectionTest.js';
import { readControllerCredentials, replaceCredentials } from './credentials.js';
import {
  addCredentialOptions,
  addSettingOptions,
  getOption,
  listSettingOptionNames,
  readControllerSettings,
  refuseForeignOptions,
  type ParsedOptions,
} from './options.js';

const forceHelp = 'store it although another controller seems to be the same console';

/** Adds the commands that manage and test controllers. */
export const addControllerCommands = (controller: Command, io: Io): void => {
  const command = makeAddCommand(controller);
  const named = (name: string, description: string): Command =>
    command(name, description).argument('<name>', 'name of the controller, as `controller list` shows it');

  const add = command('add', 'Add a controller. Its name is printed alone on standard output')
    .requiredOption('--name <name>', 'a name for it, used by `site add`')
    .requiredOption('--kind <kind>', `one of: ${controllerKinds.join(', ')}`)
    .option('--force', forceHelp)
    .option(...createDatabaseOption);
  addCredentialOptions(addSettingOptions(add, { isNew: true })).action((options: AddControllerOptions) =>
    addController(io, options),
  );
  addSettingOptions(
    named(
      'set',
      'Change the address or other settings of a controller; its sites stay, running services take it over',
    ),
    { isNew: false },
  )
    .option('--new-name <name>', 'another name for it')
    .option('--force', forceHelp)
    .action((name: string, options: ParsedOptions) => setController(io, name, options));
  command('list', 'List all controllers').action((options: JsonOption) => listControllers(io, options.json));
  named('test', 'Try a controller step by step, say what to do, and show how its sites are added')
    .option('--create', 'also create a voucher, and revoke it at once')
    .action((name: string, options: TestControllerOptions) => runControllerTest(io, name, options));
  named('pin', 'Show the certificate of a controller, or pin it; nothing is sent to the controller')
    .option('--fingerprint <sha-256>', 'trust the certificate with this fingerprint, if it is the one')
    .option('--yes', 'trust the certificate that it shows now')
    .action((name: string, options: PinControllerOptions) => pinController(io, name, options));
  addCredentialOptions(
    named('credentials', 'Replace what a controller is signed in to with; running services take it over'),
  ).action((name: string, options: ParsedOptions) => replaceCredentials(io, name, options));
  named('remove', 'Remove a controller and its credentials; the vouchers of its sites stay in the records')
    .option('--force', 'abandon its orders with an unknown outcome, if it can never be reached again')
    .action((name: string, options: RemoveControllerOptions) => removeController(io, name, options));
};

interface AddControllerOptions extends ParsedOptions, JsonOption {
  readonly name: string;
  readonly kind: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

const addController = (io: Io, options: AddControllerOptions): Promise<void> => {
  const add = async (opened: OpenedTables): Promise<void> => {
    const name = parseLabel('--name', options.name);
    const { json } = options;
    const kind = parseChoice('--kind', options.kind, controllerKinds);
    refuseForeignOptions(kind, options);
    const settings = await readControllerSettings(kind, options);
    const id = await explainRefusals(
      { name, nameOption: 'name' },
      openControllerAdministration(opened).add(
        {
          name,
          kind,
          settings: { all: settings },
          force: options.force === true,
          readCredentials: () => readControllerCredentials(io, kind, options),
        },
        commandLineActor,
      ),
    );
    if (json) io.out(`${JSON.stringify({ id, name, kind })}\n`);
    else {
      io.out(`${name}\n`);
      io.err(`try it, and see its sites: ${formatCommandLine(`controller test ${toQuotedWord(name)}`)}\n`);
    }
  };
  return withTables(io, add, whenGivenYes(options.yes));
};

const nameOption = 'new-name';

const setController = (io: Io, controllerName: string, options: ParsedOptions): Promise<void> =>
  withTables(io, async (opened) => {
    const stored = await findController(opened.tables, controllerName);
    const { id, kind } = stored;
    refuseForeignOptions(kind, options);
    const possible = [...listSettingOptionNames(kind), nameOption];
    if (possible.every((option) => getOption(options, option) === undefined))
      throw new CommandError(
        'option-missing',
        `nothing to change: give one or more of ${possible.map((option) => `--${option}`).join(', ')}`,
      );
    const wanted = getOption(options, nameOption);
    const name = wanted === undefined ? stored.name : parseLabel(`--${nameOption}`, wanted);
    const settings = await readControllerSettings(kind, options, stored.settings);
    await explainRefusals(
      { name: stored.name, nameOption },
      openControllerAdministration(opened).change(
        id,
        {
          ...(wanted !== undefined && { name }),
          settings: { all: settings },
          force: options['force'] === true,
        },
        commandLineActor,
      ),
    );
    if (options['json'] === true) io.out(`${JSON.stringify({ id, name, kind })}\n`);
    else {
      io.out(`${sanitizeLine(name)}\n`);
      io.err(
        `changed, its sites stay; try it: ${formatCommandLine(`controller test ${toQuotedWord(name)}`)}\n`,
      );
    }
  });

const listControllers = (io: Io, json: boolean | undefined): Promise<void> =>
  withTables(io, async ({ tables }) => {
    const sites = await tables.sites.all();
    printList(
      io,
      json,
      (await tables.controllers.all()).map((stored) => describeController(stored, sites)),
      ({ name, kind, address, trust, sites: assigned }) => ({
        name,
        kind,
        address: address ?? '-',
        trust: trust ?? '-',
        sites: assigned.map(formatSite).join(', ') || '-',
      }),
      `no controllers yet: ${formatCommandLine('controller add --name N --kind K')}; the kind simulated needs no hardware`,
    );
  });

/** Everything except credentials and the text of certificates. */
const describeController = (stored: StoredController, sites: readonly StoredSite[]) => {
  const { id, name, kind } = stored;
  const { url: _url, ca: _ca, ...settings } = stored.settings;
  const address = controllerAddressOf(stored) ?? null;
  return {
    id,
    name,
    kind,
    address,
    trust: address === null ? null : controllerTrustOf(stored),
    settings,
    sites: sites
      .filter(({ controllerId }) => controllerId === id)
      .map(({ id: siteId, name: site, active, controllerSite }) => ({
        id: siteId,
        name: site,
        active,
        controllerSite,
      })),
  };
};

interface RemoveControllerOptions extends JsonOption {
  force?: boolean;
}

const removeController = (
  io: Io,
  given: string,
  { force = false, json }: RemoveControllerOptions,
): Promise<void> =>
  withTables(io, async (opened) => {
    const { id, name } = await findController(opened.tables, given);
    const removal = await openControllerAdministration(opened)
      .remove(id, commandLineActor, { giveUp: force })
      .catch((error: unknown) => {
        throw error instanceof ControllerNeeded
          ? new CommandError(error.code, describeRemovalRefusal(name, error))
          : error;
      });
    const { sites, givenUp } = removal.outcome === 'kept' ? removal : { sites: [], givenUp: 0 };
    if (json) {
      io.out(
        `${JSON.stringify({ id, name, removed: true, sites: sites.map((site) => site.id), givenUp })}\n`,
      );
      return;
    }
    const stay = `; the vouchers of its inactive sites stay in the records: ${sites.map(formatSite).join(', ')}`;
    io.out(`removed ${sanitizeLine(name)}${sites.length > 0 ? stay : ''}\n`);
    if (givenUp > 0)
      io.out(
        `open orders given up: ${String(givenUp)}; vouchers that the controller may have created for them are not recorded\n`,
      );
  });

const describeRemovalRefusal = (name: string, { active, openIntents }: ControllerNeeded): string => {
  if (active.length === 0)
    return `${name} is needed: the outcome of ${counted(openIntents, 'order')} on it is not known yet; the service finds out while it runs, and doctor tells; if it can never be reached again, give up what is open: ${formatCommandLine(`controller remove ${toQuotedWord(name)} --force`)}`;
  const commands = active.map(({ id }) => formatCommandLine(`site deactivate ${String(id)}`));
  const named = active.map(({ id, name: site }) => `${String(id)} "${sanitizeLine(site)}"`);
  return `${name} is needed by active sites: ${named.join(', ')}; first: ${commands.join(' && ')}`;
};
