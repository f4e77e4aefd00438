import { toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const renewRecoveryCodes: WebHandler<'renewRecoveryCodes'> = async (
  { input, principal, reply, client },
  { auth },
) =>
  reply(200, {
    recoveryCodes: await auth.account.renewRecoveryCodes(
      principal,
      input.body.current,
      toSessionClient(client),
    ),
  });
