import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const testMailServer: WebHandler<'testMailServer'> = async (
  { input: { body }, principal, reply },
  { mailServer, testMail },
) => {
  const { to, server } = body;
  const { user = null, ...settings } = server;
  const config = await mailServer.resolve({ ...settings, user });
  const result = await testMail(config, to, languageOf({}, principal));
  return reply(200, {
    isSent: result.isSent,
    reason: result.isSent ? null : { ...result.reason },
    answer: result.isSent ? null : result.answer,
  });
};
