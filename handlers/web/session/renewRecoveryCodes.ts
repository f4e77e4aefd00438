import { toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const renewRecoveryCodes: WebHandler<'renewRecoveryCodes'> = async (
  { input, key, reply, client },
  { people },
) =>
  reply(200, {
    recoveryCodes: await people.account.renewRecoveryCodes(key, input.body.current, toSessionClient(client)),
  });
