import { Refusal } from '../../errors/problem.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import {
  makeControllerAdministration,
  type ControllerAdministration,
} from '../../controllers/controllerAdministration.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { CommandError } from '../io.js';
import type { OpenedTables } from '../openTables.js';
import { makeCommandRotationSafeWriter } from '../sealing.js';

/** What a command changes controllers with. */
export const openControllerAdministration = (opened: OpenedTables): ControllerAdministration =>
  makeControllerAdministration({
    controllers: opened.tables.controllers,
    sites: opened.tables.sites,
    clock: opened.clock,
    rotationSafeWriter: makeCommandRotationSafeWriter(opened),
    secrets: () => openStoredSecrets(opened.config),
    mayMoveCredentials: true,
    deadlineMs: opened.config.controllerDeadlineMs,
  });

/** Adds the remedy for a refusal in the words of the command line. */
export const explainRefusals = async <T>(
  { name, nameOption }: { readonly name: string; readonly nameOption: string },
  work: Promise<T>,
): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error as Refusal;
    switch (code) {
      case 'name-taken':
        throw new CommandError(code, `--${nameOption}: ${message}`);
      case 'console-known':
        throw new CommandError(code, `${message}. If it is another console anyway: --force`);
      case 'credentials-required':
        throw new CommandError(
          code,
          `nothing is changed: the credentials of "${name}" were sealed with another key or for another address: see its address with ${formatCommandLine('controller list')}, and when it is right, give them again: ${formatCommandLine(`controller credentials ${toQuotedWord(name)}`)}`,
        );
      default:
        throw error;
    }
  }
};
