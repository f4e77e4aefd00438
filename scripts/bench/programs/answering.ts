import type { Serializable } from 'node:child_process';

/** `never`, because only the parent knows what it sends: each program names the type it is started with. */
export interface Begun {
  readonly ready: Serializable;
  answer?(question: never): Promise<Serializable>;
}

/**
 * The child's side of `startProgram`: the first message is what to begin with, the following ones are questions.
 * When the parent is gone, so is the child.
 */
export const answering = (begin: (argument: never) => Promise<Begun>): void => {
  let begun: Promise<Begun> | undefined;
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
