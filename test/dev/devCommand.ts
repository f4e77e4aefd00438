import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { childEnv } from '../support/built.js';
import { until } from '../support/until.js';
import type { Project } from './project.js';

/** `npm run dev` in a process of its own. */
export interface DevCommand {
  readonly url: string;
  /** The key of the demo. */
  readonly key: string;
  /** All that the terminal shows so far. */
  output(): string;
  /** Waits until the terminal shows something, from a place in its output on. */
  shows(text: string | RegExp, from?: number): Promise<void>;
  /** Ends it as Ctrl-C does, and returns its status. */
  stop(): Promise<number | null>;
}

export const startDevCommand = async (
  project: Project,
  env: Record<string, string> = {},
): Promise<DevCommand> => {
  const child = spawn(process.execPath, ['scripts/dev.mjs', '--json'], {
    cwd: project.path,
    env: childEnv({ PORT: '0', LOG_LEVEL: 'error', DATA_DIR: join(project.path, 'data'), ...env }),
  });
  let printed = '';
  /** A colour may come in two pieces. */
  const output = (): string => stripVTControlCharacters(printed);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const ended = once(child, 'close');
  const shows = async (text: string | RegExp, from = 0): Promise<void> => {
    await until(`the terminal shows ${String(text)}`, () => {
      const shown = output().slice(from);
      if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return true;
      if (child.exitCode !== null) throw new Error(`it ended with ${String(child.exitCode)}`);
      return false;
    }).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}\n${output()}`);
    });
  };
  await shows(/API key +uvt_/);
  return {
    url: /^\{"url":"([^"]+)"\}$/m.exec(output())?.[1] ?? '',
    key: /uvt_[0-9a-f]{40}/.exec(output())?.[0] ?? '',
    output,
    shows,
    stop: async () => {
      child.kill('SIGINT');
      await ended;
      return child.exitCode;
    },
  };
};
