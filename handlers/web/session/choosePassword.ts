import type { WebHandler } from '../handler.js';

export const choosePassword: WebHandler<'choosePassword'> = async ({ input, reply, client }, { auth }) => {
  const { token, password } = input.body;
  await auth.forgottenPassword.choose(token, password, client);
  return reply(204);
};
