import type { WebHandler } from '../handler.js';

export const setLanguage: WebHandler<'setLanguage'> = async ({ input, key, reply }, { people }) => {
  await people.account.setLanguage(key, input.body.language);
  return reply(204);
};
