import { readFileSync, watch } from 'node:fs';
import { posix } from 'node:path';
import { listContractFiles } from '../tasks/contractFiles.mjs';
import { root } from '../tasks/run.mjs';

/** Several events make one change: editors write, rename and touch. */
const settledMs = 40;
/** A file that stays empty or missing for so long is meant to be. */
const patienceMs = 3000;

/** What a file at the root holds. `undefined` in the middle of a save: many editors empty or remove it first. */
export const savedContent = (file) => {
  try {
    return readFileSync(`${root}${file}`, 'utf8') || undefined;
  } catch {
    return undefined;
  }
};

/**
 * What a contract at the root and the files that it refers to hold, to be compared. `undefined` like that of a file, and
 * not `whole` while one of the other files is empty or missing.
 */
const readSaved = (contract) => {
  if (savedContent(contract) === undefined) return { content: undefined, whole: false };
  const contents = listContractFiles(root, contract).map((file) => [file, savedContent(file) ?? null]);
  return { content: JSON.stringify(contents), whole: contents.every(([, content]) => content !== null) };
};

export const savedContract = (contract) => readSaved(contract).content;

/** Calls back with the time of the first event, and with `savedContract`, when that of a contract has changed. */
export const watchContract = (contract, onChange) => {
  let known = savedContract(contract);
  let timer;
  let began;
  const look = (patient = true) => {
    timer = undefined;
    const { content, whole } = readSaved(contract);
    if (content === known) return;
    if (!whole && patient) {
      timer = setTimeout(look, patienceMs, false);
      return;
    }
    known = content;
    watchFolders();
    onChange(began, content);
  };
  const watchers = new Map();
  let files;
  // Editors save by replacing the file, so its folder is watched.
  const watchFolders = () => {
    files = new Set(listContractFiles(root, contract));
    const folders = new Set([...files].map((file) => posix.dirname(file)));
    for (const [folder, watcher] of watchers)
      if (!folders.has(folder)) {
        watcher.close();
        watchers.delete(folder);
      }
    for (const folder of folders) if (!watchers.has(folder)) watchFolder(folder);
  };
  const watchFolder = (folder) => {
    try {
      const watcher = watch(`${root}${folder}`, (_event, name) => {
        if (!files.has(posix.join(folder, name ?? ''))) return;
        if (timer === undefined) began = Date.now();
        clearTimeout(timer);
        timer = setTimeout(look, settledMs);
      });
      watcher.on('error', () => undefined);
      watchers.set(folder, watcher);
    } catch {
      // A folder that is missing: the contract refers to nothing that could change.
    }
  };
  watchFolders();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
};
