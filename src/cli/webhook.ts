import type { Command } from 'commander';
import { formatNames, languages } from '../notifications/format.js';
import type { Io } from './io.js';
import { addWebhook, type AddOptions } from './webhookAdd.js';
import { listDeliveries, resendDelivery, type DeliveriesOptions } from './webhookDeliveries.js';
import { listWebhooks, removeWebhook, setWebhookActive } from './webhookList.js';
import { rotateSigningSecret, type RotateOptions } from './webhookRotate.js';
import { testWebhook } from './webhookTest.js';

interface JsonOption {
  json?: boolean;
}

export const addWebhookCommands = (program: Command, io: Io): void => {
  const webhook = program.command('webhook').description('targets that are told of new vouchers');
  const command = (name: string, description: string): Command =>
    webhook.command(name).description(description).option('--json', 'print JSON');
  const named = (name: string, description: string): Command =>
    command(name, description).argument('<name>', 'name of the webhook, as `webhook list` shows it');

  command('add', 'Add a webhook. The secret that signs is printed once, alone, when one was made for it')
    .requiredOption('--name <name>', 'a name for it')
    .requiredOption('--format <format>', `one of: ${formatNames.join(', ')}`)
    .option('--language <language>', `of the texts, one of: ${languages.join(', ')}`, 'de')
    .option('--url-file <file>', 'the file with its address; - is standard input')
    .option('--url-env <variable>', 'the variable with its address; without both it is asked for')
    .option('--secret-file <file>', 'generic: the file with the secret that signs; - is standard input')
    .option('--secret-env <variable>', 'generic: the variable with it; without both one is made')
    .action((options: AddOptions) => addWebhook(io, options));
  command('list', 'List all webhooks, with their addresses masked').action((options: JsonOption) =>
    listWebhooks(io, options.json),
  );
  named('enable', 'Send to a webhook again').action((name: string, options: JsonOption) =>
    setWebhookActive(io, name, true, options.json),
  );
  named('disable', 'Send nothing more to a webhook; what waits for it goes on waiting').action(
    (name: string, options: JsonOption) => setWebhookActive(io, name, false, options.json),
  );
  named('remove', 'Remove a webhook and its deliveries').action((name: string, options: JsonOption) =>
    removeWebhook(io, name, options.json),
  );
  named('rotate-secret', 'Sign with a new secret, which is printed once, alone')
    .option('--overlap-hours <number>', 'how long the old secret signs too, 0 to 8760', '24')
    .action((name: string, options: RotateOptions) => rotateSigningSecret(io, name, options));
  named('test', 'Send a marked test message at once, and say what came back').action(
    (name: string, options: JsonOption) => testWebhook(io, name, options.json),
  );
  command('deliveries', 'List deliveries, the newest first')
    .argument('[name]', 'only those to this webhook')
    .option('--state <state>', 'only those that are: waiting, delivered or failed')
    .option('--limit <number>', 'how many, 1 to 1000', '50')
    .action((name: string | undefined, options: DeliveriesOptions) => listDeliveries(io, name, options));
  command('resend', 'Send a delivery again, from the first try on')
    .argument('<id>', 'id of the delivery, as `webhook deliveries` shows it')
    .action((id: string, options: JsonOption) => resendDelivery(io, id, options.json));
};
