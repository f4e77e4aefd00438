import { actorOf } from '../../../src/auth/account.js';
import { Refusal } from '../../../src/errors/problem.js';
import type { WebHandler } from '../handler.js';
import { toUserReply } from '../replies.js';

export const createUser: WebHandler<'createUser'> = async (
  { input, principal, reply, client },
  { auth, accountMail, emails },
) => {
  const { name, email = null, role, language = null, siteIds = [], invite } = input.body;
  if (invite && (!email || !(await accountMail.isSetUp())))
    throw new Refusal('invitation-impossible', 'without an e-mail address or a mail server nothing is sent');
  // Counted first: nobody is created whom no invitation reaches.
  const takeBack = invite ? await emails.count(email ?? '', principal.user.id) : undefined;
  const { user, password } = await auth.users
    .createWithPassword({ name, email, role, language, siteIds }, actorOf(principal, client))
    .catch(async (error: unknown) => {
      await takeBack?.();
      throw error;
    });
  if (!invite) return reply(201, { user: toUserReply(user), password });
  // Nobody knows the password: the link of the e-mail lets them choose their own.
  const { name: invitedBy, language: own } = principal.user;
  // Somebody new has chosen no language yet.
  await accountMail.send({ ...user, language: user.language ?? own }, { kind: 'invitation', invitedBy });
  return reply(201, { user: toUserReply(user), password: null });
};
