import { actorOf } from '../../../src/auth/account.js';
import { singleSignOnCallback } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';
import { toIdentityProviderInput, toIdentityProviderReply } from '../identityProviderReplies.js';

export const setIdentityProvider: WebHandler<'setIdentityProvider'> = async (
  { input, principal, reply, client },
  { identityProvider },
) => {
  await identityProvider.save(toIdentityProviderInput(input.body), actorOf(principal, client));
  return reply(200, toIdentityProviderReply(await identityProvider.view(), singleSignOnCallback(client)));
};
