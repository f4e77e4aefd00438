// Processor time does not grow while others use the machine, unlike the time on the clock. It is that of whole trees of
// processes: Chromium does not wait for its tabs, so what they took is not in what the system says of their parents.
import { readdirSync, readFileSync } from 'node:fs';
import { clearInterval, setInterval } from 'node:timers';

/** The unit of /proc: a hundredth of a second on every Linux of today. */
const ticksPerSecond = 100;

const lookEveryMs = 500;

const readStat = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It has ended, or there is no /proc.
    return undefined;
  }
};

/** What proc(5) says of a process; undefined when there is none. `seconds` includes the children that it has waited for. */
const readProcess = (pid) => {
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  // The name of the program, in brackets, may contain anything.
  const [, parent, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, ofChildren, systemOfChildren] = fields.slice(9, 13).map(Number);
  const waitedFor = (ofChildren + systemOfChildren) / ticksPerSecond;
  return {
    pid,
    parent: Number(parent),
    begun: fields[17],
    waitedFor,
    seconds: (user + system) / ticksPerSecond + waitedFor,
  };
};

const isSame = (a, b) => a !== undefined && b !== undefined && a.begun === b.begun;

/** This process and all below it, and those of `known` that have lost their parent. */
const readTree = (known) => {
  const all = new Map();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (found) all.set(found.pid, found);
  }
  const isInside = new Map([[process.pid, true]]);
  const belongs = (one) => {
    if (one === undefined) return false;
    if (!isInside.has(one.pid))
      isInside.set(one.pid, isSame(one, known.get(one.pid)) || belongs(all.get(one.parent)));
    return isInside.get(one.pid);
  };
  return new Map([...all].filter(([, one]) => belongs(one)));
};

/** The seconds of processes that have ended between two looks and that nobody has waited for. */
const lostBetween = (before, now) => {
  const isAlive = (one) => isSame(one, now.get(one.pid));
  /** The nearest above it that is still there: with what it has waited for, what ended below may be in its account. */
  const heirOf = (one) => {
    const parent = before.get(one.parent);
    return parent === undefined || isAlive(parent) ? parent : heirOf(parent);
  };
  const due = new Map();
  for (const one of before.values()) {
    if (isAlive(one)) continue;
    const heir = heirOf(one)?.pid;
    due.set(heir, (due.get(heir) ?? 0) + one.seconds);
  }
  return [...due].reduce((sum, [heir, seconds]) => {
    const got = heir === undefined ? 0 : now.get(heir).waitedFor - before.get(heir).waitedFor;
    return sum + Math.max(0, seconds - got);
  }, 0);
};

/** Whether the time of other processes can be read here: on Linux. */
export const canMeasureDescendants = () => readStat('self') !== undefined;

const measureAlone = () => ({
  read: () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  end: () => {},
});

/**
 * Measures this process and all that it starts: `read` returns their seconds until now, user and system. Elsewhere than
 * on Linux it is the time of this process alone.
 */
export const measureProcessorTime = () => {
  if (!canMeasureDescendants()) return measureAlone();
  let tree = readTree(new Map());
  let lost = 0;
  const look = () => {
    const now = readTree(tree);
    lost += lostBetween(tree, now);
    tree = now;
  };
  const timer = setInterval(look, lookEveryMs).unref();
  const read = () => {
    look();
    return [...tree.values()].reduce((sum, { seconds }) => sum + seconds, lost);
  };
  return { read, end: () => clearInterval(timer) };
};
