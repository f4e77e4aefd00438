import type { Command } from 'commander';
import { controllerKinds } from '../controllers/registry.js';
import { addController, type AddOptions } from './controllerAdd.js';
import { replaceCredentials } from './controllerCredentials.js';
import { listControllers } from './controllerList.js';
import { addCredentialOptions, addSettingOptions, type Given } from './controllerOptions.js';
import { pinController, type PinOptions } from './controllerPin.js';
import { removeController, type RemoveOptions } from './controllerRemove.js';
import { setController } from './controllerSet.js';
import { testController, type TestOptions } from './controllerTest.js';
import type { Io } from './io.js';

interface JsonOption {
  json?: boolean;
}

const forceHelp = 'store it although another controller seems to be the same console';

export const addControllerCommands = (program: Command, io: Io): void => {
  const controller = program.command('controller').description('network controllers that make the vouchers');
  const command = (name: string, description: string): Command =>
    controller.command(name).description(description).option('--json', 'print JSON');
  const named = (name: string, description: string): Command =>
    command(name, description).argument('<name>', 'name of the controller, as `controller list` shows it');

  const add = command('add', 'Add a controller. Its name is printed alone on standard output')
    .requiredOption('--name <name>', 'a name for it, used by `site add`')
    .requiredOption('--kind <kind>', `one of: ${controllerKinds.join(', ')}`)
    .option('--force', forceHelp);
  addCredentialOptions(addSettingOptions(add)).action((options: AddOptions) => addController(io, options));
  addSettingOptions(
    named(
      'set',
      'Change the address or other settings of a controller; its sites stay, running services take it over',
    ),
  )
    .option('--new-name <name>', 'another name for it')
    .option('--force', forceHelp)
    .action((name: string, options: Given) => setController(io, name, options));
  command('list', 'List all controllers').action((options: JsonOption) => listControllers(io, options.json));
  named('test', 'Try a controller step by step, say what to do, and show how its sites are added')
    .option('--create', 'make a voucher too, and revoke it at once')
    .action((name: string, options: TestOptions) => testController(io, name, options));
  named('pin', 'Show the certificate of a controller, or trust it alone from now on; nothing is sent to it')
    .option('--fingerprint <sha-256>', 'trust the certificate with this fingerprint, if it is the one')
    .option('--yes', 'trust the certificate that it shows now')
    .action((name: string, options: PinOptions) => pinController(io, name, options));
  addCredentialOptions(
    named('credentials', 'Replace what a controller is signed in to with; running services take it over'),
  ).action((name: string, options: Given) => replaceCredentials(io, name, options));
  named('remove', 'Remove a controller and its credentials; the vouchers of its sites stay in the records')
    .option('--force', 'give up the orders on it whose outcome is not known: it can never be reached again')
    .action((name: string, options: RemoveOptions) => removeController(io, name, options));
};
