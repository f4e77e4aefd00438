import { lstatSync, readdirSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const kindOf = (path) => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() ? 'folder' : found && 'file';
};

/**
 * Calls back with the path of what is created, changed or removed: a file, or whatever is in a folder and below.
 * Every folder has a watcher of its own: on Linux, the recursive one of Node 20 watches files, and so loses those that an
 * editor replaces.
 */
export const watchTree = (path, onChange) => {
  const watchers = new Map();
  const unwatch = (folder) => {
    for (const [watched, watcher] of watchers)
      if (watched === folder || watched.startsWith(join(folder, '/'))) {
        watcher.close();
        watchers.delete(watched);
      }
  };
  const watchFolder = (folder, onEvent) => {
    const watcher = watch(folder, onEvent);
    // A folder that is removed: its own folder says so.
    watcher.on('error', () => undefined);
    watchers.set(folder, watcher);
  };
  const watchBelow = (folder, isNew) => {
    try {
      watchFolder(folder, (event, name) => {
        if (name === null) return onChange(folder);
        const changed = join(folder, name);
        if (event === 'rename') {
          unwatch(changed);
          if (kindOf(changed) === 'folder') watchBelow(changed, true);
        }
        onChange(changed);
      });
      // What a new folder has already: nobody watched when it came.
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const found = join(folder, entry.name);
        if (entry.isDirectory()) watchBelow(found, isNew);
        else if (isNew) onChange(found);
      }
    } catch {
      // It has been removed meanwhile.
      unwatch(folder);
    }
  };
  if (kindOf(path) === 'folder') watchBelow(path, false);
  else watchFolder(dirname(path), (_event, name) => name === basename(path) && onChange(path));
  return () => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
};
