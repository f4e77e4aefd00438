import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Linux counts processor time in hundredths of a second, whatever its kernel does. */
const ticksPerSecond = 100;

/** The processor time of a process and all its threads; 0 where the system has no /proc. */
export const cpuSeconds = async (pid: number | undefined): Promise<number> => {
  if (pid === undefined) return 0;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name in brackets, which may hold anything: state is the first field, utime the 12th, stime the 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
};

const run = promisify(execFile);

/** The resident memory of a process in MiB; 0 where the system does not tell. */
export const residentMb = async (pid: number | undefined): Promise<number> => {
  if (pid === undefined) return 0;
  const kilobytes = (await fromProc(pid)) ?? (await fromPs(pid)) ?? 0;
  return kilobytes / 1024;
};

const fromProc = async (pid: number): Promise<number | undefined> => {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes);
  } catch {
    return undefined;
  }
};

const fromPs = async (pid: number): Promise<number | undefined> => {
  try {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout.trim());
  } catch {
    return undefined;
  }
};
