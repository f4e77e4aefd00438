import type { Command } from 'commander';
import { systemEffects } from '../effects.js';
import { commandLine } from './commandLine.js';
import { CommandError, label, printList, wholeNumber, type Io } from './io.js';
import { findControllerSite } from './siteOnController.js';
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
    const id = wholeNumber('id', given, 1, 2_147_483_647);
    if (!(await storage.sites.setActive(id, active))) {
      throw new CommandError(`there is no site ${given}: see ${commandLine('site list')}`);
    }
    io.out(
      json ? `${JSON.stringify({ id, active })}\n` : `site ${given} is ${active ? 'active' : 'inactive'}\n`,
    );
  });
