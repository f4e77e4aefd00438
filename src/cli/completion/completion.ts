import type { Command } from 'commander';
import { describeCommand, type CommandDescription } from '../commandTree.js';
import { CommandError, type Io } from '../io.js';
import { makeBashScript } from './bash.js';
import { makeFishScript } from './fish.js';
import { shells, type Shell } from './values.js';
import { makeZshScript } from './zsh.js';

const scripts: Readonly<Record<Shell, (program: CommandDescription) => string>> = {
  bash: makeBashScript,
  zsh: makeZshScript,
  fish: makeFishScript,
};

/** Adds the command that prints a completion script. It is made from the program, which has all its commands. */
export const makeAddCompletionCommand =
  (loadProgram: () => Promise<Command>) =>
  (completion: Command, io: Io): void => {
    completion
      .argument('<shell>', shells.join(', '))
      .option('--json', 'print JSON')
      .action(async (given: string, options: { json?: boolean }) => {
        const shell = shells.find((name) => name === given);
        if (!shell)
          throw new CommandError(
            'option-invalid',
            `shell: "${given.slice(0, 40)}" is not allowed: one of ${shells.join(', ')}`,
          );
        const script = scripts[shell](describeCommand(await loadProgram()));
        io.out(options.json ? `${JSON.stringify({ shell, script })}\n` : script);
      });
  };
