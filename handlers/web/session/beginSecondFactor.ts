import type { WebHandler } from '../handler.js';

export const beginSecondFactor: WebHandler<'beginSecondFactor'> = async (
  { input, principal, reply },
  { people },
) => reply(200, await people.account.beginSecondFactor(principal, input.body.current));
