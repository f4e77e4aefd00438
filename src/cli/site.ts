import type { Command } from 'commander';
import { systemEffects } from '../effects.js';
import { commandLine } from './commandLine.js';
import type { Storage } from '../storage/storage.js';
import { CommandError, label, plain, printList, type Io } from './io.js';
import { quoted } from './shellWord.js';
import { findControllerSite } from './siteOnController.js';
import { noSite, siteId } from './siteWithId.js';
import { withStorage } from './withStorage.js';

interface AddOptions {
  name: string;
  controller: string;
  controllerSite?: string;
  json?: boolean;
}

export const addSiteCommands = (program: Command, io: Io): void => {
  const site = program.command('site').description('sites that get vouchers');
  site
    .command('add')
    .description(
      'Add an active site. Its id, which requests call site_id, is printed alone on standard output',
    )
    .requiredOption('--name <name>', 'name of the site, as clients see it')
    .requiredOption('--controller <name>', 'the controller it is tied to, as `controller list` shows it')
    .option(
      '--controller-site <site>',
      'the site as `controller test` shows it; needed when there are several',
    )
    .option('--json', 'print JSON')
    .action((options: AddOptions) => addSite(io, options));
  site
    .command('list')
    .description('List all sites, inactive ones too')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listSites(io, options.json));
  site
    .command('rename')
    .description('Give a site another name; its id and its vouchers stay')
    .argument('<id>', 'id of the site, as `site list` shows it')
    .argument('<name>', 'its new name, as clients see it')
    .option('--json', 'print JSON')
    .action((id: string, name: string, options: { json?: boolean }) =>
      renameSite(io, id, name, options.json),
    );
  for (const [command, active] of [
    ['activate', true],
    ['deactivate', false],
  ] as const) {
    site
      .command(command)
      .description(
        active ? 'Let a site receive vouchers' : 'Stop a site from receiving vouchers; its list stays',
      )
      .argument('<id>', 'id of the site, as `site list` shows it')
      .option('--json', 'print JSON')
      .action((id: string, options: { json?: boolean }) => setActive(io, id, active, options.json));
  }
};

const renameSite = (io: Io, given: string, newName: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const id = siteId(given);
    const name = label('name', newName);
    if (!(await storage.sites.rename(id, name))) noSite(given);
    await warnOfAlike(io, storage, id);
    io.out(json ? `${JSON.stringify({ id, name })}\n` : `site ${given} is named ${plain(name)}\n`);
  });

/** Clients see names: of two active sites with one name nobody can tell which is which. */
const warnOfAlike = async (io: Io, storage: Storage, id: number): Promise<void> => {
  const active = (await storage.sites.all()).filter((site) => site.active);
  const name = active.find((site) => site.id === id)?.name;
  const alike = active.filter((site) => site.name === name).map((site) => String(site.id));
  if (name === undefined || alike.length < 2) return;
  io.err(
    `warning: ${String(alike.length)} active sites are named ${quoted(name)}: ${alike.join(', ')}; to tell them apart: ${commandLine(`site rename ${String(id)} NAME`)}\n`,
  );
};

const addSite = (io: Io, options: AddOptions): Promise<void> =>
  withStorage(io, async ({ config, storage }) => {
    const name = label('--name', options.name);
    const wanted = options.controller.trim();
    const controller = (await storage.controllers.all()).find((known) => known.name === wanted);
    if (!controller) {
      throw new CommandError(
        `--controller: there is none named "${options.controller}": see ${commandLine('controller list')}`,
      );
    }
    const controllerSite = await findControllerSite(io, config, controller, name, options.controllerSite);
    const id = await storage.sites.add(
      { name, active: true, controllerId: controller.id, controllerSite },
      systemEffects.now(),
    );
    await warnOfAlike(io, storage, id);
    io.out(options.json ? `${JSON.stringify({ id, name })}\n` : `${String(id)}\n`);
  });

const listSites = (io: Io, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const controllers = new Map((await storage.controllers.all()).map(({ id, name }) => [id, name]));
    const removed = new Map((await storage.controllers.removed()).map(({ id, name }) => [id, name]));
    const sites = (await storage.sites.all()).map(({ controllerId, ...site }) => ({
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
      `no sites yet: ${commandLine('site add --name N --controller C')}`,
    );
  });

const setActive = (io: Io, given: string, active: boolean, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const id = siteId(given);
    if (!(await storage.sites.setActive(id, active))) noSite(given);
    await warnOfAlike(io, storage, id);
    io.out(
      json ? `${JSON.stringify({ id, active })}\n` : `site ${given} is ${active ? 'active' : 'inactive'}\n`,
    );
  });
