import type { MailServerView } from '../../src/email/mailServer.js';
import { actorOf } from '../../src/auth/account.js';
import type { WebHandlers, WebSchema } from './handler.js';
import { languageOf } from './replies.js';

export const mailHandlers = {
  deleteMailServer: async ({ principal, reply, client }, { mailServer }) => {
    await mailServer.remove(actorOf(principal, client));
    return reply(204);
  },

  getMailServer: async ({ reply }, { mailServer }) => reply(200, toMailServerReply(await mailServer.view())),

  setMailServer: async ({ input: { body }, principal, reply, client }, { mailServer }) => {
    const { user = null, ...settings } = body;
    await mailServer.save({ ...settings, user }, actorOf(principal, client));
    return reply(200, toMailServerReply(await mailServer.view()));
  },

  testMailServer: async ({ input: { body }, principal, reply }, { mailServer, testMail }) => {
    const { to, server } = body;
    const { user = null, ...settings } = server;
    const config = await mailServer.resolve({ ...settings, user });
    const result = await testMail(config, to, languageOf({}, principal));
    return reply(200, {
      isSent: result.isSent,
      reason: result.isSent ? null : { ...result.reason },
      answer: result.isSent ? null : result.answer,
    });
  },
} satisfies Partial<WebHandlers>;

const toMailServerReply = ({ fixed, ...view }: MailServerView): WebSchema<'MailServer'> => ({
  ...view,
  fixedServer: fixed.server ?? null,
  fixedFrom: fixed.from ?? null,
});
