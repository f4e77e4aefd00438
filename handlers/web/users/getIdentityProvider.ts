import type { WebHandler } from '../handler.js';
import { toIdentityProviderReply } from '../identityProviderReplies.js';

export const getIdentityProvider: WebHandler<'getIdentityProvider'> = async (
  { reply, client },
  { identityProvider },
) => reply(200, toIdentityProviderReply(await identityProvider.view(), client));
