import { toSessionClient } from '../../src/people/webAccess.js';
import type { WebHandler } from './handler.js';

export const beginSecondFactor: WebHandler<'beginSecondFactor'> = async (
  { input, key, reply, client },
  { people },
) => reply(200, await people.account.beginSecondFactor(key, input.body.current, toSessionClient(client)));
