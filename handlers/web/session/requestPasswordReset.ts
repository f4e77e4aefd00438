import { Refusal } from '../../../src/errors/problem.js';
import type { WebHandler } from '../handler.js';

export const requestPasswordReset: WebHandler<'requestPasswordReset'> = async (
  { input, reply, client },
  { auth, accountMail },
) => {
  if (!(await accountMail.isSetUp()))
    throw new Refusal('email-not-set-up', 'there is no mail server to send a link with');
  await auth.forgottenPassword.request(input.body.login, client);
  return reply(204);
};
