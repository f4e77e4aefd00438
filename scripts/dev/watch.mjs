import { readFileSync, watch } from 'node:fs';
import { root } from '../tasks/run.mjs';

/** Several events make one change: editors write, rename and touch. */
const settledMs = 40;

const contentOf = (file) => {
  try {
    return readFileSync(`${root}${file}`, 'utf8');
  } catch {
    // Between the two halves of a replacement.
    return undefined;
  }
};

/** Calls back with the time of the first event when the content of a file at the root has changed. */
export const watchFile = (file, onChange) => {
  let known = contentOf(file);
  let timer;
  let began;
  const look = () => {
    timer = undefined;
    const content = contentOf(file);
    if (content === undefined || content === known) return;
    known = content;
    onChange(began);
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
