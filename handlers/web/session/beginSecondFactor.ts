import type { WebHandler } from '../handler.js';

export const beginSecondFactor: WebHandler<'beginSecondFactor'> = async (
  { input, principal, reply },
  { auth },
) => reply(200, await auth.account.beginSecondFactor(principal, input.body.current));
