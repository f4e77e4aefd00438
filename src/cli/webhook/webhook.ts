import type { Command } from 'commander';
import { describeReason } from '../../i18n/storedReasons.js';
import { Refusal } from '../../errors/problem.js';
import { pageLanguages } from '../../i18n/language.js';
import { formatNames } from '../../webhooks/formats/format.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import {
  CommandError,
  formatTimestamp,
  makeAddCommand,
  parseChoice,
  parseLabel,
  parseWholeNumber,
  printList,
  printResult,
  type Io,
  type JsonOption,
} from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findWebhook } from '../lookup.js';
import { commandLineActor } from '../openTables.js';
import { readRequiredSecret, readSecretOption } from '../secretInput.js';
import { withWebhooks } from './administration.js';
import { printDeliveries, queueDelivery, runWebhookTest, type DeliveriesOptions } from './deliveries.js';

/** Adds the commands that manage webhooks and their deliveries. */
export const addWebhookCommands = (webhook: Command, io: Io): void => {
  const command = makeAddCommand(webhook);
  const named = (name: string, description: string): Command =>
    command(name, description).argument('<name>', 'name of the webhook, as `webhook list` shows it');

  command('add', 'Add a webhook. A generated signing secret is printed once, alone')
    .requiredOption('--name <name>', 'a name for it')
    .requiredOption('--format <format>', `one of: ${formatNames.join(', ')}`)
    .option('--language <language>', `of the texts, one of: ${pageLanguages.join(', ')}`, 'de')
    .option('--controllers', 'also tell when a controller can not be reached, and when it can be again')
    .option('--url-file <file>', 'the file with its address; - is standard input')
    .option(
      '--url-env <variable>',
      `the variable with its address; without both the command prompts for it. ${privateHelp}`,
    )
    .option('--secret-file <file>', 'generic: the file with the secret that signs; - is standard input')
    .option('--secret-env <variable>', 'generic: the variable with it; without both one is generated')
    .action((options: AddWebhookOptions) => addWebhook(io, options));
  command('list', 'List all webhooks, with their addresses masked').action((options: JsonOption) =>
    listWebhooks(io, options.json),
  );
  named('enable', 'Send to a webhook again').action((name: string, options: JsonOption) =>
    setWebhookActive(io, name, true, options.json),
  );
  named('disable', 'Send nothing more to a webhook; what waits for it goes on waiting').action(
    (name: string, options: JsonOption) => setWebhookActive(io, name, false, options.json),
  );
  named('rename', 'Give a webhook another name')
    .argument('<new-name>', 'the new name')
    .action((name: string, newName: string, options: JsonOption) =>
      renameWebhook(io, name, newName, options.json),
    );
  named('controllers', 'Tell a webhook when a controller can not be reached, or stop telling it')
    .argument('<on|off>', 'on or off')
    .action((name: string, state: string, options: JsonOption) =>
      setReportsControllers(io, name, state, options.json),
    );
  named('remove', 'Remove a webhook and its deliveries').action((name: string, options: JsonOption) =>
    removeWebhook(io, name, options.json),
  );
  named('rotate-secret', 'Sign with a new secret, which is printed once, alone')
    .option('--overlap-hours <number>', 'how long the old secret signs too, 0 to 8760', '24')
    .action((name: string, options: RotateSigningSecretOptions) => rotateSigningSecret(io, name, options));
  named('test', `Send a marked test message at once, and say what came back. ${privateHelp}`).action(
    (name: string, options: JsonOption) => runWebhookTest(io, name, options.json),
  );
  command('deliveries', 'List deliveries, the newest first')
    .argument('[name]', 'only those to this webhook')
    .option('--state <state>', 'only those that are: waiting, delivered or failed')
    .option('--limit <number>', 'how many, 1 to 1000', '50')
    .action((name: string | undefined, options: DeliveriesOptions) => printDeliveries(io, name, options));
  command('resend', 'Send a delivery again, from the first attempt on')
    .argument('<id>', 'id of the delivery, as `webhook deliveries` shows it')
    .action((id: string, options: JsonOption) => queueDelivery(io, id, options.json));
};

const privateHelp = 'A private address needs the WEBHOOK_ALLOW_PRIVATE of the service here';

interface AddWebhookOptions extends JsonOption {
  name: string;
  format: string;
  language: string;
  controllers?: boolean;
  urlFile?: string;
  urlEnv?: string;
  secretFile?: string;
  secretEnv?: string;
}

const addWebhook = (io: Io, options: AddWebhookOptions): Promise<void> =>
  withWebhooks(io, async (webhooks) => {
    const name = parseLabel('--name', options.name);
    const { controllers: reportsControllers = false, json } = options;
    const format = parseChoice('--format', options.format, formatNames);
    const language = parseChoice('--language', options.language, pageLanguages);
    const { urlFile, urlEnv, secretFile, secretEnv } = options;
    const { id, maskedAddress, secret } = await webhooks
      .add(
        {
          name,
          format,
          language,
          reportsControllers,
          readSecret: () => {
            if (urlFile === '-' && secretFile === '-')
              throw new CommandError(
                'options-conflict',
                '--url-file and --secret-file can not both be standard input',
              );
            return readSecretOption(io, { option: 'secret', file: secretFile, env: secretEnv });
          },
          readAddress: () =>
            readRequiredSecret(io, 'the address', { option: 'url', file: urlFile, env: urlEnv }),
        },
        commandLineActor,
      )
      .catch((error: unknown) => {
        throw error instanceof Refusal && error.code === 'name-taken'
          ? new CommandError('name-taken', `--name: ${error.message}`)
          : error;
      });
    const shown = { id, name, format, language, reportsControllers, address: maskedAddress };
    printResult(io, json, { ...shown, ...(secret !== undefined && { secret }) }, secret ?? name);
  });

const listWebhooks = (io: Io, json: boolean | undefined): Promise<void> =>
  withWebhooks(io, async ({ list }) => {
    const webhooks = (await list()).map(
      ({ address, active, reason, createdAt, waiting, failed, failing, ...webhook }) => ({
        ...webhook,
        address: address ?? '(sealed with another key)',
        active,
        reason: reason && describeReason('attempt', reason).en,
        createdAt: formatTimestamp(createdAt),
        waiting,
        failed,
        failing: failing && {
          reason: failing.reason && describeReason('attempt', failing.reason).en,
          tries: failing.tries,
          since: formatTimestamp(failing.createdAt),
          nextAt: formatTimestamp(failing.at),
        },
      }),
    );
    printList(
      io,
      json,
      webhooks,
      ({ name, format, language, reportsControllers, address, waiting, failed, ...webhook }) => ({
        name,
        format,
        language,
        address,
        controllers: reportsControllers ? 'yes' : 'no',
        waiting: String(waiting),
        failed: String(failed),
        state: describeWebhookState(webhook),
      }),
      `no webhooks yet: ${formatCommandLine('webhook add --name N --format F')}`,
    );
  });

const describeWebhookState = ({
  active,
  reason,
  failing,
}: {
  readonly active: boolean;
  readonly reason: string | null;
  readonly failing: { readonly reason: string | null; readonly tries: number } | null;
}): string => {
  const withReason = (state: string, why: string | null): string =>
    why === null ? state : `${state}: ${sanitizeLine(why)}`;
  if (!active) return withReason('switched off', reason);
  return failing ? withReason(`failing, ${String(failing.tries)} attempts`, failing.reason) : 'active';
};

const setWebhookActive = (io: Io, given: string, active: boolean, json: boolean | undefined): Promise<void> =>
  withWebhooks(io, async (webhooks, tables) => {
    const { id, name } = await findWebhook(tables, given);
    await webhooks.change(id, { active }, commandLineActor);
    printResult(
      io,
      json,
      { id, name, active },
      `${sanitizeLine(name)} is ${active ? 'active' : 'switched off'}`,
    );
  });

const setReportsControllers = (
  io: Io,
  given: string,
  state: string,
  json: boolean | undefined,
): Promise<void> =>
  withWebhooks(io, async (webhooks, tables) => {
    if (state !== 'on' && state !== 'off')
      throw new CommandError('option-invalid', `"${state}" is not allowed: on or off`);
    const reportsControllers = state === 'on';
    const { id, name } = await findWebhook(tables, given);
    await webhooks.change(id, { reportsControllers }, commandLineActor);
    const told = reportsControllers ? 'is told' : 'is not told';
    printResult(
      io,
      json,
      { id, name, reportsControllers },
      `${sanitizeLine(name)} ${told} when a controller can not be reached`,
    );
  });

const renameWebhook = (io: Io, given: string, newName: string, json: boolean | undefined): Promise<void> =>
  withWebhooks(io, async (webhooks, tables) => {
    const name = parseLabel('new-name', newName);
    const { id } = await findWebhook(tables, given);
    await webhooks.change(id, { name }, commandLineActor);
    printResult(io, json, { id, name }, sanitizeLine(name));
  });

const removeWebhook = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withWebhooks(io, async (webhooks, tables) => {
    const { id, name } = await findWebhook(tables, given);
    await webhooks.remove(id, commandLineActor);
    printResult(io, json, { id, name, removed: true }, `removed ${sanitizeLine(name)}`);
  });

interface RotateSigningSecretOptions extends JsonOption {
  overlapHours: string;
}

const hourMs = 3_600_000;

const rotateSigningSecret = (io: Io, given: string, options: RotateSigningSecretOptions): Promise<void> =>
  withWebhooks(io, async (webhooks, tables) => {
    const overlapMs = parseWholeNumber('--overlap-hours', options.overlapHours, 0, 8760) * hourMs;
    const { id, name } = await findWebhook(tables, given);
    const { secret, oldUntil } = await webhooks.rotateSecret(id, overlapMs, commandLineActor);
    printResult(io, options.json, { id, name, secret, oldUntil: formatTimestamp(oldUntil) }, secret);
  });
