import { createReadStream } from 'node:fs';
import { checkConfiguration, type OpenConfiguration } from '../../configuration/checkConfiguration.js';
import { parseConfiguration, type ReadConfiguration } from '../../configuration/configurationFile.js';
import { importConfiguration } from '../../configuration/importConfiguration.js';
import { configurationParts, type ImportStep, type StepOutcome } from '../../configuration/importStep.js';
import { maxFileBytes } from '../../configuration/strictYaml.js';
import { readConfig } from '../../config/config.js';
import { groupBy } from '../../lib/collections.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { sanitizeLine } from '../../lib/label.js';
import { nodeSystem } from '../../lib/system.js';
import { openWithPassPhrase } from '../../secrets/passPhrase.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import { makeSsrfGuard } from '../../ssrf/ssrfGuard.js';
import { fileUnreadable } from '../givenFile.js';
import { CommandError, type Io } from '../io.js';
import { whenGivenYes } from '../newDatabase.js';
import { commandLineActor, withTables } from '../openTables.js';
import { readPassPhrase, type PassPhraseOptions } from '../passPhrase.js';
import { makeCommandRotationSafeWriter } from '../sealing.js';

export interface ConfigImportOptions extends PassPhraseOptions {
  readonly update?: boolean;
  readonly dryRun?: boolean;
  readonly withoutSecrets?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Reads and checks the file, and only then opens the database. */
export const runImport = async (io: Io, file: string, options: ConfigImportOptions): Promise<void> => {
  const { webhookAllowPrivate } = readConfig(io.env);
  if (file === '-' && options.passPhraseFile === '-')
    throw new CommandError('options-conflict', 'standard input can not be both the file and the pass phrase');
  const read = parseConfiguration(await readText(io, file), file === '-' ? 'standard input' : file);
  const opened = await openFile(io, read, options, webhookAllowPrivate);
  const dryRun = options.dryRun === true;
  await withTables(
    io,
    async (database) => {
      const steps = await importConfiguration({
        file: opened,
        refuse: read.refuse,
        update: options.update === true,
        dryRun,
        actor: commandLineActor,
        database: database.database,
        clock: database.clock,
        rotationSafeWriter: makeCommandRotationSafeWriter(database),
        secrets: () => openStoredSecrets(database.config),
      });
      printSteps(io, mergeSteps(steps), { dryRun, json: options.json === true });
    },
    whenGivenYes(options.yes),
  );
};

const readText = async (io: Io, file: string): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === '-' ? (io.input ?? []) : createReadStream(file)) {
      chunks.push(Buffer.from(chunk as Uint8Array | string));
      bytes += chunks.at(-1)?.length ?? 0;
      if (bytes > maxFileBytes) break;
    }
  } catch (error) {
    throw fileUnreadable(file === '-' ? 'standard input' : file.slice(0, 300), error);
  }
  if (bytes > maxFileBytes)
    throw new CommandError('option-invalid', 'the file is larger than 4 MiB, which no configuration is');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new CommandError('option-invalid', 'the file is not a text in UTF-8');
  }
};

const openFile = async (
  io: Io,
  read: ReadConfiguration,
  options: ConfigImportOptions,
  allowPrivate: readonly string[],
): Promise<OpenConfiguration> => {
  const secrets =
    read.sealing && !options.withoutSecrets
      ? await openWithPassPhrase(await readPassPhrase(io, options), read.sealing, nodeSystem)
      : undefined;
  return checkConfiguration(read, secrets, makeSsrfGuard(allowPrivate));
};

type ShownStep = Omit<ImportStep, 'apply'>;

/**
 * One entry for each thing: what the sites have in common with profiles is planned later than the sites
 * themselves.
 */
const mergeSteps = (steps: readonly ImportStep[]): ShownStep[] => {
  const order: StepOutcome[] = ['created', 'changed', 'differs', 'skipped', 'same'];
  return [...groupBy(steps, ({ part, name }) => JSON.stringify([part, name])).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const outcome = order.find((one) => same.some((step) => step.outcome === one)) ?? 'same';
    const { part, name, todo } = first;
    return [{ part, name, outcome, fields: same.flatMap(({ fields }) => fields), todo }];
  });
};

const printSteps = (
  io: Io,
  steps: readonly ShownStep[],
  { dryRun, json }: { readonly dryRun: boolean; readonly json: boolean },
): void => {
  if (json) {
    io.out(
      `${JSON.stringify({ dryRun, steps: steps.map(({ todo, ...step }) => ({ ...step, todo: todo ?? null })) }, null, 2)}\n`,
    );
    return;
  }
  const would = dryRun ? 'would be ' : '';
  for (const part of configurationParts) {
    const count = (...outcomes: StepOutcome[]): string =>
      String(steps.filter((step) => step.part === part && outcomes.includes(step.outcome)).length);
    io.out(
      `${part.padEnd(16)} ${count('created')} ${would}created, ${count('changed')} ${would}changed, ${count('same', 'differs', 'skipped')} left\n`,
    );
  }
  for (const step of steps) io.err(describeStep(step, would));
  if (dryRun) io.err('nothing was written: this was a dry run\n');
};

const pagesOfSecrets: Readonly<Partial<Record<ShownStep['part'], string>>> = {
  mailServer: 'E-mail',
  smsProvider: 'SMS',
  identityProvider: 'Users',
};

const describeStep = ({ part, name, outcome, fields, todo }: ShownStep, would: string): string => {
  const what = `${part}: ${toQuotedWord(sanitizeLine(name))}`;
  const lines: string[] = [];
  if (outcome === 'changed') lines.push(`${would}changed: ${what} (${fields.join(', ')})`);
  if (outcome === 'differs') lines.push(`left: ${what} differs (${fields.join(', ')}); --update changes it`);
  if (todo === 'credentials')
    lines.push(
      `to do: ${what} has no credentials: ${formatCommandLine(`controller credentials ${toQuotedWord(name)}`)}`,
    );
  if (todo === 'address')
    lines.push(
      `left: ${what} can not be created without its address: ${formatCommandLine(`webhook add --name ${toQuotedWord(name)} …`)}`,
    );
  if (todo === 'secret')
    lines.push(
      `left: ${what} can not be set up without its ${part === 'mailServer' ? 'password' : 'secret'}: enter it on the page ${pagesOfSecrets[part] ?? ''}`,
    );
  if (todo === 'wifi-password')
    lines.push(`to do: ${what} has a Wi-Fi with a password: enter its name and password on the page Sites`);
  return lines.map((line) => `${line}\n`).join('');
};
