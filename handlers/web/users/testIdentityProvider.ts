import { singleSignOnCallback } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';
import { toIdentityProviderInput } from '../identityProviderReplies.js';

export const testIdentityProvider: WebHandler<'testIdentityProvider'> = async (
  { input, reply, client },
  { identityProvider, testProvider },
) => {
  const config = await identityProvider.resolve(toIdentityProviderInput(input.body));
  return reply(200, { steps: await testProvider(config, singleSignOnCallback(client)) });
};
