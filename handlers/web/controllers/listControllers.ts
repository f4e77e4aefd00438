import type { WebHandler } from '../handler.js';
import { toControllerReply } from '../replies.js';

export const listControllers: WebHandler<'listControllers'> = async ({ reply }, { controllers }) =>
  reply(200, { controllers: (await controllers.list()).map(toControllerReply) });
