import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toControllerReply } from '../replies.js';

export const updateController: WebHandler<'updateController'> = async (
  { input: { path, body }, principal, reply, client },
  { controllers },
) => {
  const { name, force, credentials, ...address } = body;
  const update = {
    name,
    force,
    settings: { address },
    credentials,
  };
  await controllers.change(path.controllerId, update, actorOf(principal, client));
  return reply(200, toControllerReply(await controllers.show(path.controllerId)));
};
