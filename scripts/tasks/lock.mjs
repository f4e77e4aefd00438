import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { StepFailed } from './run.mjs';

const patienceMs = 600_000;

/** Locks that this process holds. */
const held = new Set();

/** A number that this process has by chance, as after the restart of a container, is that of another one. */
const isHolding = (pid, file) => {
  if (pid === process.pid) return held.has(file);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const readHolder = (file) => {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
};

const take = (file) => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    held.add(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
};

/** Does `work` while no other process of this checkout does. What a process that is gone left behind does not count. */
export const withLock = async (file, work) => {
  const started = Date.now();
  let isSaid = false;
  while (!take(file)) {
    const holder = readHolder(file);
    if (holder !== undefined && !isHolding(holder, file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (Date.now() - started > patienceMs)
      throw new StepFailed(
        `process ${holder} does not let go of ${file}: remove that file if nothing is built`,
      );
    if (!isSaid && holder !== undefined) {
      isSaid = true;
      console.error(`Waiting for process ${holder}, which builds here already.`);
    }
    await pause(100);
  }
  try {
    return await work();
  } finally {
    held.delete(file);
    rmSync(file, { force: true });
  }
};
