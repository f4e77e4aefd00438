import { toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const renewRecoveryCodes: WebHandler<'renewRecoveryCodes'> = async (
  { input, principal, reply, client },
  { people },
) =>
  reply(200, {
    recoveryCodes: await people.account.renewRecoveryCodes(
      principal,
      input.body.current,
      toSessionClient(client),
    ),
  });
