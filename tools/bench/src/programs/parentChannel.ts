import type { Serializable } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `never`, because only the parent knows what it sends: each program names the type it is started with. */
interface StartedProgram {
  readonly ready: Serializable;
  answer?(question: never): Promise<Serializable>;
}

/**
 * The child's side of `startProgram`: the first message is what to begin with, the following ones are questions.
 * When the parent is gone, so is the child.
 */
export const answerParent = (begin: (argument: never) => Promise<StartedProgram>): void => {
  let begun: Promise<StartedProgram> | undefined;
  const reply = async (message: unknown): Promise<Serializable> => {
    if (!begun) {
      begun = begin(message as never);
      return (await begun).ready;
    }
    const { answer } = await begun;
    if (!answer) throw new Error('this program answers no questions');
    return answer(message as never);
  };
  process.on('message', (message) => {
    reply(message).then(
      (answer) => process.send?.(answer),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit());
};

/** Listens on a free port of loopback and returns the address. */
export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
