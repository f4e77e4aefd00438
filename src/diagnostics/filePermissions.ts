import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { toQuotedWord } from '../lib/commandLine.js';
import { errorCode } from '../lib/errorCode.js';
import { isOpenToOthers } from '../lib/privateFiles.js';
import type { Finding } from './finding.js';

interface CheckedFiles extends Pick<Config, 'dataDir' | 'databaseUrl'> {
  /** The files that settings name for their secrets. */
  readonly secretFiles?: readonly string[];
}

const check = 'permissions';

/**
 * May others open the files that hold data or secrets, and may this user? Says what can't be found out, too.
 */
export const checkPermissions = async (checked: CheckedFiles): Promise<Finding> => {
  const folder = await lookInto(checked.dataDir);
  const files = listFiles(checked, folder.names);
  const found = await Promise.all(files.map(async (file) => ({ file, state: await stateOf(file) })));
  const inState = (state: FileState): string[] =>
    found.flatMap((one) => (one.state === state ? [one.file] : []));
  const open = inState('open');
  if (open.length > 0)
    return {
      check,
      ok: false,
      message: { code: 'files-open', values: { files: open.join(', ') } },
      command: `chmod o= ${open.map(toQuotedWord).join(' ')}`,
    };
  const hidden = [...(folder.isHidden ? [checked.dataDir] : []), ...inState('hidden')];
  if (hidden.length > 0) return refuse('files-hidden', hidden);
  const unusable = inState('unusable');
  if (unusable.length > 0) return refuse('files-not-usable', unusable);
  return {
    check,
    ok: true,
    message:
      inState('private').length === 0
        ? { code: 'files-none', values: { dataDir: checked.dataDir } }
        : { code: 'files-closed', values: {} },
  };
};

const refuse = (code: 'files-hidden' | 'files-not-usable', files: readonly string[]): Finding => ({
  check,
  ok: false,
  message: { code, values: { files: files.join(', ') } },
  remedy: { code: 'other-user', values: {} },
});

/**
 * `hidden`: this user can't even see whether it exists. `unusable`: nobody else can open it, but neither can
 * this user.
 */
type FileState = 'missing' | 'hidden' | 'open' | 'unusable' | 'private';

const stateOf = async (file: string): Promise<FileState> => {
  try {
    await stat(file);
    if (isOpenToOthers(file)) return 'open';
    await access(file, constants.R_OK);
    return 'private';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return 'missing';
    return await stat(file).then(
      () => 'unusable',
      () => 'hidden',
    );
  }
};

const lookInto = async (folder: string): Promise<{ names: string[]; isHidden: boolean }> => {
  try {
    return { names: await readdir(folder), isHidden: false };
  } catch (error) {
    return { names: [], isHidden: !['ENOENT', 'ENOTDIR'].includes(errorCode(error)) };
  }
};

const listFiles = (
  { dataDir, databaseUrl, secretFiles = [] }: CheckedFiles,
  names: readonly string[],
): string[] => {
  const ours = names
    .filter((name) => /^(secret\.key|.*\.sqlite)/.test(name))
    .map((name) => join(dataDir, name));
  const [, database] = /^sqlite:(.+)/.exec(databaseUrl) ?? [];
  const beside = database === undefined ? [] : ['', '-wal', '-shm'].map((end) => resolve(database) + end);
  return [...new Set([...ours, ...beside, ...secretFiles.map((file) => resolve(file))])];
};
