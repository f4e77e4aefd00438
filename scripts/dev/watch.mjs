import { readFileSync, watch } from 'node:fs';
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

/** Calls back with the time of the first event, and with the content, when that of a file at the root has changed. */
export const watchFile = (file, onChange) => {
  let known = savedContent(file);
  let timer;
  let began;
  const look = (patient = true) => {
    timer = undefined;
    const content = savedContent(file);
    if (content === known) return;
    if (content === undefined && patient) {
      timer = setTimeout(look, patienceMs, false);
      return;
    }
    known = content;
    onChange(began, content);
  };
  // Editors save by replacing the file, so its folder is watched.
  const watcher = watch(root, (_event, name) => {
    if (name !== file) return;
    if (timer === undefined) began = Date.now();
    clearTimeout(timer);
    timer = setTimeout(look, settledMs);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
};
