import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

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
