import { Refusal } from '../../../src/errors/problem.js';
import { makeSingleSignOnCookie, singleSignOnCallback } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const beginSingleSignOn: WebHandler<'beginSingleSignOn'> = async ({ reply, client }, { auth }) => {
  const singleSignOn = await auth.singleSignOn();
  if (!singleSignOn)
    return reply(302, undefined, {
      Location: `${client.basePath}/sign-in?reason=single-sign-on-off`,
    });
  try {
    const { url, pending } = await singleSignOn.begin(singleSignOnCallback(client));
    return await reply(302, undefined, {
      Location: url,
      'Set-Cookie': makeSingleSignOnCookie(pending, client),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return reply(302, undefined, { Location: `${client.basePath}/sign-in?reason=${error.code}` });
  }
};
