import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process of this machine. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** A file of /proc, or nothing when its process has just ended. */
const readProc = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

const readFromProc = (): RunningProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      // The name of the program, in brackets, may contain anything.
      const [, state, parent] = /.*\) (\S) (\d+)/s.exec(readProc(pid, 'stat')) ?? [];
      // A zombie has ended; whether somebody asks for its status is another matter.
      if (parent === undefined || state === 'Z') return [];
      const command = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
      return [{ pid: Number(pid), parent: Number(parent), command }];
    });

const readFromPs = (): RunningProcess[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (state === undefined || state.startsWith('Z')) return [];
      return [{ pid: Number(pid), parent: Number(parent), command: command ?? '' }];
    });

export const listProcesses = (): RunningProcess[] =>
  existsSync('/proc/self/stat') ? readFromProc() : readFromPs();

/** What a process has started, and what that has started in turn. */
export const descendantsOf = (pid: number, all = listProcesses()): RunningProcess[] =>
  all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
