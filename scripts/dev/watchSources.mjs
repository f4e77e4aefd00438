import { existsSync, readdirSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfThere, root } from '../tasks/run.mjs';

/** Several events make one change: editors write, rename and touch. */
const settledMs = 60;

const sources = ['src', 'handlers', 'web'];

/** The files that a contract refers to, itself first, also those that are missing. Addresses are none. */
export const listContractFiles = (contract) => {
  const found = new Set([contract]);
  for (const file of found)
    for (const [, reference] of (readIfThere(file) ?? '').matchAll(/\$ref['"]?:\s*['"]?([^'"#\s,}]+)/g)) {
      const path = join(dirname(file), reference.replaceAll('%20', ' '));
      if (!/^[a-z]+:/.test(reference) && !path.startsWith('..')) found.add(path);
    }
  return [...found];
};

const foldersIn = (folder) => [
  folder,
  ...readdirSync(`${root}${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => foldersIn(join(folder, name))),
];

/**
 * Calls back with the files that were saved, of the sources and of the folders of a contract. Every folder has a watcher
 * of its own: on Linux, the recursive one of Node 20 watches files, and so loses those that an editor replaces.
 */
export const watchSources = (contract, onChange) => {
  const watchers = [];
  let timer;
  const saved = [];
  const settleLater = () => {
    clearTimeout(timer);
    timer = setTimeout(settle, settledMs);
  };
  const follow = (folder) => {
    const watcher = watch(`${root}${folder}`, (_event, name) => {
      // What else is in the folder of the checkout is no source.
      if (folder === '.' && !/\.(?:ya?ml|json)$/.test(name)) return;
      saved.push(join(folder, name ?? ''));
      settleLater();
    });
    watchers.push(watcher.on('error', () => undefined));
  };
  /** After every change, because there may be other folders. The new watchers begin before the last ones end. */
  const followAll = () => {
    const last = watchers.splice(0);
    try {
      const folders = [...sources.flatMap(foldersIn), ...listContractFiles(contract).map(dirname)];
      for (const folder of new Set(folders)) if (existsSync(`${root}${folder}`)) follow(folder);
    } finally {
      for (const watcher of last) watcher.close();
    }
  };
  const settle = () => {
    try {
      followAll();
    } catch {
      // A folder has just been removed.
      return settleLater();
    }
    onChange(saved.splice(0));
  };
  followAll();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
};
