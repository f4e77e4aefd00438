import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toIdentityProviderInput, toIdentityProviderReply } from '../identityProviderReplies.js';

export const setIdentityProvider: WebHandler<'setIdentityProvider'> = async (
  { input, principal, reply, client },
  { identityProvider },
) => {
  const { before, ...settings } = input.body;
  await identityProvider.save(toIdentityProviderInput(settings), actorOf(principal, client), before);
  return reply(200, toIdentityProviderReply(await identityProvider.view(), client));
};
