import { controllerAddressOf } from '../../controllers/https/settings.js';
import type { Command } from 'commander';
import type { Config } from '../../config/config.js';
import type { ControllerInfo } from '../../controllers/controller.js';
import { Refusal } from '../../errors/problem.js';
import type { StoredController } from '../../controllers/controllerTable.js';
import type { Tables } from '../../app/tables.js';
import { formatCommandLine, toQuotedWord, toShellWord } from '../../lib/commandLine.js';
import { summarizeControllerError } from '../controller/remedies.js';
import {
  CommandError,
  makeAddCommand,
  parseLabel,
  printList,
  printResult,
  type Io,
  type JsonOption,
} from '../io.js';
import { sanitizeLine, toStoredLine } from '../../lib/label.js';
import { notFound, parseSiteId, throwUnknownSite } from '../lookup.js';
import { commandLineActor, withControllers, withTables, type OpenedTables } from '../openTables.js';

interface AddSiteOptions extends JsonOption {
  name: string;
  controller: string;
  controllerSite?: string;
}

/** Adds the commands that add, list, rename and switch sites. */
export const addSiteCommands = (site: Command, io: Io): void => {
  const command = makeAddCommand(site);
  command(
    'add',
    'Add an active site. Its id, which requests call site_id, is printed alone on standard output',
  )
    .requiredOption('--name <name>', 'name of the site, as clients see it')
    .requiredOption('--controller <name>', 'the controller it is tied to, as `controller list` shows it')
    .option(
      '--controller-site <site>',
      'the site as `controller test` shows it; needed when there are several',
    )
    .action((options: AddSiteOptions) => addSite(io, options));
  command('list', 'List all sites, inactive ones too').action((options: JsonOption) =>
    listSites(io, options.json),
  );
  command('rename', 'Give a site another name; its id and its vouchers stay')
    .argument('<id>', 'id of the site, as `site list` shows it')
    .argument('<name>', 'its new name, as clients see it')
    .action((id: string, name: string, options: JsonOption) => renameSite(io, id, name, options.json));
  for (const [name, active] of [
    ['activate', true],
    ['deactivate', false],
  ] as const) {
    command(
      name,
      active ? 'Let a site receive vouchers' : 'Stop a site from receiving vouchers; its list stays',
    )
      .argument('<id>', 'id of the site, as `site list` shows it')
      .action((id: string, options: JsonOption) => setSiteActive(io, id, active, options.json));
  }
};

const renameSite = (io: Io, given: string, newName: string, json: boolean | undefined): Promise<void> =>
  withTables(io, async (opened) => {
    const id = parseSiteId(given);
    const name = parseLabel('name', newName);
    await changeSite(opened, given, { name });
    await warnAboutSameName(io, opened.tables, id);
    printResult(io, json, { id, name }, `site ${given} is named ${sanitizeLine(name)}`);
  });

const changeSite = async (
  opened: OpenedTables,
  given: string,
  values: { readonly name?: string; readonly active?: boolean },
): Promise<void> => {
  const [{ makeSites }, { makeCommandRotationSafeWriter }] = await Promise.all([
    import('../../sites/sites.js'),
    import('../sealing.js'),
  ]);
  const sites = makeSites(opened.tables, opened.clock, makeCommandRotationSafeWriter(opened));
  try {
    await sites.change(parseSiteId(given), values, commandLineActor);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unknown-site') throwUnknownSite(given);
    throw error;
  }
};

/** Clients see only names, and could not tell two active sites with the same name apart. */
const warnAboutSameName = async (io: Io, tables: Tables, id: number): Promise<void> => {
  const active = (await tables.sites.all()).filter((site) => site.active);
  const name = active.find((site) => site.id === id)?.name;
  const sameName = active.filter((site) => site.name === name).map((site) => String(site.id));
  if (name === undefined || sameName.length < 2) return;
  io.err(
    `warning: ${String(sameName.length)} active sites are named ${toQuotedWord(name)}: ${sameName.join(', ')}; to tell them apart: ${formatCommandLine(`site rename ${String(id)} NAME`)}\n`,
  );
};

const addSite = (io: Io, options: AddSiteOptions): Promise<void> =>
  withTables(io, async (opened) => {
    const { config, tables } = opened;
    const name = parseLabel('--name', options.name);
    const wanted = options.controller.trim();
    const controller = (await tables.controllers.all()).find((known) => known.name === wanted);
    if (!controller) {
      throw notFound(
        'unknown-controller',
        `--controller: no controller is named "${options.controller}"`,
        'controller list',
      );
    }
    const controllerSite = await findControllerSite(io, config, controller, name, options.controllerSite);
    const { openControllerAdministration } = await import('../controller/administration.js');
    const [id = 0] = await openControllerAdministration(opened)
      .addSites(controller.id, [{ name, controllerSite }], commandLineActor)
      .catch(async (error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== 'controller-site-used') throw error;
        throw await explainUsedSite(opened, controller, name, error.message);
      });
    await warnAboutSameName(io, tables, id);
    printResult(io, options.json, { id, name }, String(id));
  });

/** Says which sites of a controller can still be added, as commands. */
const explainUsedSite = async (
  { config, tables }: Pick<OpenedTables, 'config' | 'tables'>,
  controller: StoredController,
  name: string,
  refusal: string,
): Promise<CommandError> => {
  const taken = new Set(
    (await tables.sites.all())
      .filter(({ controllerId }) => controllerId === controller.id)
      .map(({ controllerSite }) => controllerSite),
  );
  if (controllerAddressOf(controller) === undefined) {
    const id = freeName(taken);
    return new CommandError(
      'controller-site-used',
      `${refusal}; a simulated controller takes any other name as --controller-site:`,
      [formatSiteAddCommand(controller.name, { id, name }, name)],
    );
  }
  const sites = await withControllers(config, (registry) => registry.get(controller).probe()).then(
    (info) => info.sites,
    () => [],
  );
  const free = sites.filter(({ id }) => !taken.has(id));
  return free.length === 0
    ? notFound('controller-site-used', refusal, 'site list')
    : new CommandError(
        'controller-site-used',
        `${refusal}; choose another one with --controller-site:`,
        free.map((site) => formatSiteAddCommand(controller.name, site, name)),
      );
};

const freeName = (taken: ReadonlySet<string | null>): string => {
  let number = taken.size + 1;
  while (taken.has(`site-${String(number)}`)) number += 1;
  return `site-${String(number)}`;
};

const listSites = (io: Io, json: boolean | undefined): Promise<void> =>
  withTables(io, async ({ tables }) => {
    const controllers = new Map((await tables.controllers.all()).map(({ id, name }) => [id, name]));
    const removed = new Map((await tables.controllers.removed()).map(({ id, name }) => [id, name]));
    const sites = (await tables.sites.all()).map(({ controllerId, ...site }) => ({
      ...site,
      controller: controllers.get(controllerId) ?? removed.get(controllerId) ?? '',
      ...(removed.has(controllerId) && { controllerRemoved: true }),
    }));
    printList(
      io,
      json,
      sites,
      (site) => ({
        id: String(site.id),
        name: site.name,
        state: site.active ? 'active' : 'inactive',
        controller: site.controllerRemoved ? `${site.controller} (removed)` : site.controller,
        'controller site': site.controllerSite ?? '-',
      }),
      `no sites yet: ${formatCommandLine('site add --name N --controller C')}`,
    );
  });

const setSiteActive = (io: Io, given: string, active: boolean, json: boolean | undefined): Promise<void> =>
  withTables(io, async (opened) => {
    const id = parseSiteId(given);
    await changeSite(opened, given, { active });
    await warnAboutSameName(io, opened.tables, id);
    printResult(io, json, { id, active }, `site ${given} is ${active ? 'active' : 'inactive'}`);
  });

/**
 * The controller's site for a new site: the given one, or the only one there is. If the controller does not
 * answer, the given one is used unchecked, because it may answer later.
 */
const findControllerSite = async (
  io: Io,
  config: Config,
  controller: StoredController,
  name: string,
  given: string | undefined,
): Promise<string | null> => {
  // A simulated controller accepts any site.
  if (controllerAddressOf(controller) === undefined) return given ?? null;
  let sites: ControllerInfo['sites'];
  try {
    ({ sites } = await withControllers(config, (registry) => registry.get(controller).probe()));
  } catch (error) {
    const which = given === undefined ? ', for the only or default site of the controller' : '';
    io.err(
      `warning: added unchecked${which}, because ${sanitizeLine(controller.name)} could not be asked: ${summarizeControllerError(error, controller.name)}\n`,
    );
    return given ?? null;
  }
  const commands = sites.map((site) => formatSiteAddCommand(controller.name, site, name));
  if (given !== undefined) {
    if (sites.some(({ id }) => id === given)) return given;
    throw new CommandError(
      'option-invalid',
      `--controller-site: ${controller.name} has no site "${given}"${sites.length > 0 ? ', but:' : ' that its account sees, and no other'}`,
      commands,
    );
  }
  const [only, ...others] = sites;
  if (only && others.length === 0) return only.id;
  throw new CommandError(
    'option-missing',
    only
      ? `--controller-site is missing: ${controller.name} has ${String(sites.length)} sites:`
      : `${controller.name} has no site that its account sees`,
    commands,
  );
};

/** How much of what a controller calls its site is printed: it may be long, and the name of ours is free. */
const maxSuggestedLength = 60;

/** The command that adds a site of a controller. */
export const formatSiteAddCommand = (
  controller: string,
  site: ControllerInfo['sites'][number],
  name = toStoredLine(site.name, maxSuggestedLength),
): string =>
  formatCommandLine(
    `site add --name ${toQuotedWord(name)} --controller ${toQuotedWord(controller)} --controller-site ${toShellWord(site.id)}`,
  );
