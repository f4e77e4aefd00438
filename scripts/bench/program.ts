import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Workspace } from './workspace.js';

/** One of our own programs (programs/…) in a child process. It says when it is ready, then answers questions. */
export interface Program<Ready> {
  readonly pid: number | undefined;
  readonly ready: Ready;
  ask<Answer>(question: Serializable): Promise<Answer>;
  stop(): Promise<void>;
}

type Name = 'replay' | 'commits' | 'conventional' | 'autocannon';

/** No start and no single measurement takes this long. */
const patienceMs = 60_000;

/** Starts a program as an operator would: with production settings. */
export const startProgram = async <Ready>(
  workspace: Workspace,
  name: Name,
  argument: Serializable = {},
): Promise<Program<Ready>> => {
  const file = fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
  const child = workspace.adopt(
    fork(file, {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  const ask = async <Answer>(question: Serializable): Promise<Answer> => {
    const answer = nextMessage(child, name);
    child.send(question);
    return (await answer) as Answer;
  };
  return {
    pid: child.pid,
    ready: await ask<Ready>(argument),
    ask,
    stop: () => workspace.end(child),
  };
};

const nextMessage = (child: ChildProcess, name: Name): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      settle();
      resolve(message);
    };
    const onExit = (): void => {
      settle();
      reject(new Error(`${name} ended unexpectedly`));
    };
    const timer = setTimeout(() => {
      settle();
      reject(new Error(`${name} gave no answer within ${patienceMs / 1000} s`));
    }, patienceMs);
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
    };
    child.on('message', onMessage).on('exit', onExit);
  });
