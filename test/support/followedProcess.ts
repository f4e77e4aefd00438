import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** What a program prints, and how it ends. */
export interface FollowedProcess {
  printed(): string;
  /** Resolves with its exit status when it has ended and all of its output is there. */
  readonly ended: Promise<number | null>;
}

/** Collects the output of a program, which is killed when this process ends before it. */
export const followProcess = (child: ChildProcessWithoutNullStreams): FollowedProcess => {
  const killChild = (): void => void child.kill('SIGKILL');
  process.once('exit', killChild);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (printed += String(chunk)));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (status) => {
      process.off('exit', killChild);
      resolve(status);
    });
  });
  return { printed: () => printed, ended };
};
