import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { assertFree, writeNewFile } from '../../backup/newFile.js';
import {
  exportConfiguration,
  formatConfiguration,
  type ExportedConfiguration,
} from '../../configuration/exportConfiguration.js';
import { configurationParts } from '../../configuration/importStep.js';
import { readVersion } from '../../lib/buildInfo.js';
import { sanitizeLine } from '../../lib/label.js';
import { nodeSystem } from '../../lib/system.js';
import { sealWithPassPhrase } from '../../secrets/passPhrase.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import { CommandError, formatTime, type Io } from '../io.js';
import { withTables } from '../openTables.js';
import { readNewPassPhrase, type PassPhraseOptions } from '../passPhrase.js';

export interface ConfigExportOptions extends PassPhraseOptions {
  readonly withoutSecrets?: boolean;
  readonly json?: boolean;
}

/** Writes the configuration into a new file, or to standard output. */
export const runExport = async (io: Io, file: string, options: ConfigExportOptions): Promise<void> => {
  const isPiped = file === '-';
  const target = resolve(file);
  if (!isPiped) assertFree(target);
  if (options.withoutSecrets && (options.passPhraseFile ?? options.passPhraseEnv) !== undefined)
    throw new CommandError(
      'options-conflict',
      '--without-secrets takes no pass phrase: there is nothing to seal',
    );
  if (isPiped && options.json)
    throw new CommandError('options-conflict', '--json and - exclude each other: the file itself is printed');
  await withTables(io, async ({ config, tables, clock }) => {
    const passPhrase = options.withoutSecrets ? undefined : await readNewPassPhrase(io, options);
    const sealed =
      passPhrase === undefined
        ? undefined
        : await sealWithPassPhrase(passPhrase, nodeSystem, io.passwordCost?.ln);
    const exported = await exportConfiguration(
      tables,
      sealed && { stored: openStoredSecrets(config), file: sealed.secrets },
    );
    const head = { version: readVersion(), at: formatTime(clock.now()), sealing: sealed?.sealing };
    const text = await formatConfiguration(exported, head);
    if (isPiped) io.out(text);
    else {
      await writeNewFile(target, nodeSystem, (written) => {
        const opened = openSync(written, 'r+');
        writeFileSync(opened, text);
        closeSync(opened);
        return Promise.resolve();
      });
      printExported(io, target, exported, options);
    }
    for (const name of exported.leftOut)
      io.err(`left out: site "${sanitizeLine(name)}", whose controller was removed\n`);
  });
};

const countOf = (exported: ExportedConfiguration, part: (typeof configurationParts)[number]): number => {
  const exportedPart = exported[part];
  if (exportedPart === undefined) return 0;
  return 'length' in exportedPart ? exportedPart.length : 1;
};

const printExported = (
  io: Io,
  file: string,
  exported: ExportedConfiguration,
  { json, withoutSecrets }: ConfigExportOptions,
): void => {
  const hasSecrets = withoutSecrets !== true;
  if (json) {
    const counts = Object.fromEntries(configurationParts.map((part) => [part, countOf(exported, part)]));
    io.out(`${JSON.stringify({ file, hasSecrets, counts, leftOut: exported.leftOut }, null, 2)}\n`);
    return;
  }
  const counts = configurationParts.map((part) => `${part} ${String(countOf(exported, part))}`).join(', ');
  const secrets = hasSecrets
    ? 'Its secrets are sealed: keep the pass phrase in another place.'
    : 'It holds no secrets: credentials and webhooks have to be entered again after an import.';
  io.out(`${file}: ${counts}\n${secrets}\n`);
};
