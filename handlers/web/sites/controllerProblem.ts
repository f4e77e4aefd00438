import {
  describeControllerProblem,
  toControllerProblem,
} from '../../../src/controllers/controllerProblem.js';
import { ControllerError, OutcomeUnknown, SettingsError } from '../../../src/controllers/errors.js';
import { SecretError } from '../../../src/secrets/encryption.js';
import type { WebSchema } from '../handler.js';

/** Asks a controller. What it says when it can't be used is part of the answer. */
export const withProblem = async <T>(
  otherwise: T,
  ask: () => Promise<T>,
): Promise<{ result: T; problem: WebSchema<'Texts'> | null }> => {
  try {
    return { result: await ask(), problem: null };
  } catch (error) {
    const isKnown = [ControllerError, OutcomeUnknown, SettingsError, SecretError].some(
      (kind) => error instanceof kind,
    );
    if (!isKnown) throw error;
    return { result: otherwise, problem: { ...describeControllerProblem(toControllerProblem(error)) } };
  }
};
