import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc: a hundredth of a second on every Linux of today. */
const msPerTick = 10;

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  /** User and system time, also of processes that it has started and that have ended. */
  readonly ms: number;
}

/** The name of the program, in brackets, may contain anything. See proc(5). */
const parseStat = (pid: number, stat: string): ProcessTimes => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), ms: ticks * msPerTick };
};

const readProcess = (pid: number): ProcessTimes[] => {
  try {
    return [parseStat(pid, readFileSync(`/proc/${String(pid)}/stat`, 'utf8'))];
  } catch {
    // It has ended meanwhile.
    return [];
  }
};

/** The processor time of this process and of all that it has started, those that run included; undefined without /proc. */
export const readProcessorMs = (): number | undefined => {
  let pids: number[];
  try {
    pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return undefined;
  }
  const all = pids.flatMap(readProcess);
  let level = all.filter(({ pid }) => pid === process.pid);
  let ms = 0;
  while (level.length > 0) {
    ms += level.reduce((sum, one) => sum + one.ms, 0);
    const parents = new Set(level.map(({ pid }) => pid));
    level = all.filter(({ parent }) => parents.has(parent));
  }
  return pids.length === 0 ? undefined : ms;
};
