import { Refusal } from '../../../src/errors/problem.js';
import type { WebHandler } from '../handler.js';

export const sendInvitation: WebHandler<'sendInvitation'> = async (
  { input, principal, reply },
  { auth, accountMail, emails },
) => {
  const user = await auth.users.find(input.path.userId);
  if (!user.passwordIsTemporary) throw new Refusal('already-signed-in', 'this user has chosen a password');
  const { name: invitedBy, language: own } = principal.user;
  // Somebody new has chosen no language yet.
  const recipient = { ...user, language: user.language ?? own };
  const takeBack = await emails.count(user.email ?? '', principal.user.id);
  if (!(await accountMail.send(recipient, { kind: 'invitation', invitedBy }))) {
    await takeBack();
    throw new Refusal('invitation-impossible', 'without an e-mail address or a mail server nothing is sent');
  }
  return reply(204);
};
