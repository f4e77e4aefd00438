import type { WebHandler } from '../handler.js';
import { toKioskReply } from '../replies.js';

export const listKiosks: WebHandler<'listKiosks'> = async ({ reply }, { kiosks }) =>
  reply(200, { kiosks: (await kiosks.list()).map(toKioskReply) });
