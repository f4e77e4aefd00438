// What a script starts ends with it, together with everything that was started in turn. Each program is the leader of
// a process group: whatever became of the processes in between, the group can be ended as a whole.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a group may take to end in order: a PostgreSQL server removes its files, a service finishes requests. */
const graceMs = 10_000;
/** npm forwards a signal that the terminal has already sent, so one that follows at once is the same. */
const sameSignalMs = 1000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The leaders of the groups that this process has started. */
const leaders = new Set();
let endingSince;

/** False when nobody is left in the group. */
const signalGroup = (leader, signal) => {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
};

/** Ends what is left of a group: in order, or after the grace period at once. */
const endGroup = async (leader) => {
  const until = Date.now() + graceMs;
  let isLeft = signalGroup(leader, 'SIGTERM');
  while (isLeft && Date.now() < until) {
    await pause(20);
    isLeft = signalGroup(leader, 0);
  }
  if (isLeft) signalGroup(leader, 'SIGKILL');
};

/** Ends everything, and then this process: what it has to clean up, it does when it exits. */
const endWith = async (signal) => {
  if (endingSince !== undefined) {
    if (Date.now() - endingSince > sameSignalMs) for (const leader of leaders) signalGroup(leader, 'SIGKILL');
    return;
  }
  endingSince = Date.now();
  // The terminal may be gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  await Promise.all([...leaders].map(endGroup));
  process.exit(128 + constants.signals[signal]);
};

let npmWatch;

/** Only while there is a group: a script may do other things with signals before and afterwards. */
const watch = () => {
  for (const signal of signals) process.on(signal, endWith);
  // npm tells nobody when it is killed or hung up.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  npmWatch = setInterval(() => {
    if (process.ppid !== parent) void endWith('SIGTERM');
  }, 500).unref();
};

const unwatch = () => {
  for (const signal of signals) process.off(signal, endWith);
  clearInterval(npmWatch);
};

/**
 * Starts a program as the leader of a process group. `onExit` gets its status when the rest of the group has ended,
 * too; it is not called when this process is being ended.
 */
export const startGroup = (command, args, options, onExit) => {
  const child = spawn(command, args, { ...options, detached: true });
  const leader = child.pid;
  if (leader === undefined) return child;
  if (leaders.size === 0) watch();
  leaders.add(leader);
  const closed = once(child, 'close');
  child.on('exit', async (code, signal) => {
    if (endingSince !== undefined) return;
    await endGroup(leader);
    await closed;
    if (endingSince !== undefined) return;
    leaders.delete(leader);
    if (leaders.size === 0) unwatch();
    onExit(code, signal);
  });
  return child;
};
