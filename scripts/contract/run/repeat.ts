import type { ContractRunOptions } from '../options.js';
import type { StageName } from '../stageNames.js';

/** The command that runs one stage again in the same way. Keys are left out. */
export const repeatCommand = (stage: StageName, options: ContractRunOptions): string => {
  const { contract, url, key, readKey, limitedKey, site, allowWrites, against, seed, runs } = options;
  const parts = [
    'npm run contract --',
    stage,
    contract !== 'openapi.yaml' && `--contract ${quoted(contract)}`,
    url !== undefined && `--url ${quoted(url)}`,
    key && '--key-env KEY',
    readKey && '--read-key-env READ_KEY',
    limitedKey && '--limited-key-env LIMITED_KEY',
    site !== undefined && `--site ${site}`,
    url !== undefined && allowWrites && '--allow-writes',
    against !== undefined &&
      stage === 'breaking' &&
      `--against ${quoted(against.replace(/^(https?:[^?]*)\?.*/, '$1?…'))}`,
    stage === 'generated' && `--seed ${seed} --runs ${runs}`,
  ];
  return parts.filter((part) => typeof part === 'string').join(' ');
};

const quoted = (text: string): string =>
  /^[\w./:@~^-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
