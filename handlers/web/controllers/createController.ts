import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toControllerReply } from '../replies.js';

export const createController: WebHandler<'createController'> = async (
  { input: { body }, principal, reply, client },
  { controllers },
) => {
  const { name, kind, force, credentials = {}, ...address } = body;
  const id = await controllers.add(
    { name, kind, settings: { address }, force, readCredentials: async () => credentials },
    actorOf(principal, client),
  );
  return reply(201, toControllerReply(await controllers.show(id)));
};
