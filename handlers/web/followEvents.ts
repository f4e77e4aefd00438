import type { WebHandler } from './handler.js';

export const followEvents: WebHandler<'followEvents'> = async ({ key, reply }, { liveEvents }) =>
  reply(200, await liveEvents.follow(key));
