import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Everything a run leaves behind while it lasts: one temporary folder and its child processes. */
export interface Workspace {
  readonly dir: string;
  /** A new folder. */
  folder(): Promise<string>;
  /** Takes a child in; it is ended with the workspace, if nobody ends it before. */
  adopt<T extends ChildProcess>(child: T): T;
  end(child: ChildProcess): Promise<void>;
  close(): Promise<void>;
}

/** How long a child may take to end by itself. */
const patienceMs = 5_000;

export const makeWorkspace = (): Workspace => {
  const dir = mkdtempSync(join(tmpdir(), 'voucherd-bench-'));
  const children = new Set<ChildProcess>();
  let folders = 0;
  let closed = false;

  const end = async (child: ChildProcess): Promise<void> => {
    children.delete(child);
    if (!isRunning(child)) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const late = sleep(patienceMs, undefined, { ref: false }).then(() => child.kill('SIGKILL'));
    await Promise.race([gone, late.then(() => gone)]);
  };

  return {
    dir,
    folder: async () => {
      const path = join(dir, String(++folders));
      await mkdir(path);
      return path;
    },
    adopt: (child) => {
      // A run that is interrupted may be about to start the next one.
      if (closed) child.kill('SIGKILL');
      children.add(child);
      child.once('exit', () => children.delete(child));
      return child;
    },
    end,
    close: async () => {
      closed = true;
      await Promise.all([...children].map(end));
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

/** A child that could not be started has no id. */
const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;
