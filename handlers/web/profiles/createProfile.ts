import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toProfileReply } from '../replies.js';

export const createProfile: WebHandler<'createProfile'> = async (
  { input, principal, reply, client },
  { profiles },
) => reply(201, toProfileReply(await profiles.add(input.body, actorOf(principal, client))));
