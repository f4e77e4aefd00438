import { eventStreamHeaders } from '../../../src/lib/eventStream.js';
import type { WebHandler } from '../handler.js';

export const followEvents: WebHandler<'followEvents'> = async ({ principal, reply }, { liveEvents }) =>
  reply(200, await liveEvents.follow(principal), eventStreamHeaders);
