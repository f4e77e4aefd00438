import type { WebHandler } from '../handler.js';
import { languageOf, toSlipReply } from '../replies.js';

export const getSlip: WebHandler<'getSlip'> = async ({ input, principal, reply }, { printing }) => {
  const language = languageOf(input.query, principal);
  return reply(200, toSlipReply(await printing.toSlip(input.path.voucherId, language, principal.user)));
};
