import type { WebHandler } from '../handler.js';

export const beginSecondFactor: WebHandler<'beginSecondFactor'> = async ({ input, key, reply }, { people }) =>
  reply(200, await people.account.beginSecondFactor(key, input.body.current));
