import type { ControllerError } from '../../../src/controllers/controller.js';

/** What a call is refused with. Fails when it is not. */
export const refusalOf = (work: Promise<unknown>): Promise<ControllerError> =>
  work.then(
    () => {
      throw new Error('it was not refused');
    },
    (refusal: unknown) => refusal as ControllerError,
  );
