import type { Command } from 'commander';
import { checkController, controllerKinds } from '../controllers/registry.js';
import { faults } from '../controllers/simulated/settings.js';
import { systemEffects } from '../effects.js';
import { publicText } from '../problem.js';
import { CommandError, label, printList, wholeNumber, type Io } from './io.js';
import { withControllers } from './liveControllers.js';
import { withStorage } from './withStorage.js';

interface AddOptions {
  name: string;
  kind: string;
  latencyMs?: string;
  fault?: string;
  json?: boolean;
}

export const addControllerCommands = (program: Command, io: Io): void => {
  const controller = program.command('controller').description('network controllers that make the vouchers');
  controller
    .command('add')
    .description('Add a controller')
    .requiredOption('--name <name>', 'a name for it, used by `site add`')
    .requiredOption('--kind <kind>', `one of: ${controllerKinds.join(', ')}`)
    .option('--latency-ms <number>', 'simulated: how long it takes to answer')
    .option('--fault <fault>', `simulated: what it does wrong, one of: ${faults.join(', ')}`)
    .option('--json', 'print JSON')
    .action((options: AddOptions) => addController(io, options));
  controller
    .command('list')
    .description('List all controllers')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listControllers(io, options.json));
  controller
    .command('test')
    .description('Ask a controller for its version and its sites')
    .argument('<name>', 'name of the controller, as `controller list` shows it')
    .option('--json', 'print JSON')
    .action((name: string, options: { json?: boolean }) => testController(io, name, options.json));
};

const addController = (io: Io, options: AddOptions): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const name = label('--name', options.name);
    const { kind, latencyMs, fault } = options;
    const settings = {
      ...(latencyMs !== undefined && { latencyMs: wholeNumber('--latency-ms', latencyMs, 0, 600_000) }),
      ...(fault !== undefined && { fault }),
    };
    checkController({ kind, settings });
    if ((await storage.controllers.all()).some((known) => known.name === name)) {
      throw new CommandError(`--name: there is already a controller named "${name}"`);
    }
    const id = await storage.controllers.add({ name, kind, settings }, systemEffects.now());
    io.out(options.json ? `${JSON.stringify({ id, name, kind })}\n` : `${name}\n`);
  });

const listControllers = (io: Io, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    printList(
      io,
      json,
      (await storage.controllers.all()).map(({ id, name, kind, settings }) => ({ id, name, kind, settings })),
      ({ id, name, kind, settings }) => ({ id: String(id), name, kind, settings: JSON.stringify(settings) }),
      'no controllers yet: voucherd controller add --name N --kind simulated',
    );
  });

const testController = (io: Io, name: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ config, storage }) => {
    const stored = (await storage.controllers.all()).find((known) => known.name === name);
    if (!stored)
      throw new CommandError(`there is no controller named "${name}": see voucherd controller list`);
    await withControllers(config, async (registry) => {
      try {
        const { version, sites } = await registry.get(stored).probe();
        if (json) io.out(`${JSON.stringify({ name, version, sites })}\n`);
        else
          io.out(
            `${name} answers, version ${version}\n${sites.map(({ id, name }) => `  site ${id}  ${name}\n`).join('')}`,
          );
      } catch (error) {
        throw new CommandError(`${name} does not answer: ${publicText(error)}`);
      }
    });
  });
