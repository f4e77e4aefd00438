import { Refusal } from '../../../src/errors/problem.js';
import {
  makeSignInCookies,
  makeSingleSignOnCookie,
  readSingleSignOnCookie,
  singleSignOnCallback,
  toSessionClient,
} from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const endSingleSignOn: WebHandler<'endSingleSignOn'> = async (
  { input: { query, cookie }, reply, client },
  { auth },
) => {
  const singleSignOn = await auth.singleSignOn();
  if (!singleSignOn)
    return reply(302, undefined, {
      Location: `${client.basePath}/sign-in?reason=single-sign-on-off`,
    });
  const endPending = makeSingleSignOnCookie(undefined, client);
  try {
    const session = await singleSignOn.end(
      query,
      readSingleSignOnCookie(cookie, client),
      singleSignOnCallback(client),
      toSessionClient(client, cookie),
    );
    return await reply(302, undefined, {
      Location: `${client.basePath}/`,
      'Set-Cookie': [...makeSignInCookies(session, client), endPending],
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return reply(302, undefined, {
      Location: `${client.basePath}/sign-in?reason=${error.code}`,
      'Set-Cookie': endPending,
    });
  }
};
