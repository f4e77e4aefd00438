import type { WebHandler } from '../handler.js';

export const setLanguage: WebHandler<'setLanguage'> = async ({ input, principal, reply }, { auth }) => {
  await auth.account.setLanguage(principal, input.body.language);
  return reply(204);
};
