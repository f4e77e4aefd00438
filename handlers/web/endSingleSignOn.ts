import { Refusal } from '../../src/lib/problem.js';
import {
  makeSessionCookie,
  makeSingleSignOnCookie,
  singleSignOnCallback,
  toSessionClient,
} from '../../src/people/webAccess.js';
import type { WebHandler } from './handler.js';

export const endSingleSignOn: WebHandler<'endSingleSignOn'> = async (
  { input: { query, cookie }, reply, client },
  { people },
) => {
  if (!people.singleSignOn) return reply(302, undefined, { Location: '/sign-in?reason=single-sign-on-off' });
  try {
    const { token } = await people.singleSignOn.end(
      query,
      cookie['single-sign-on'],
      singleSignOnCallback(client),
      toSessionClient(client),
    );
    return await reply(302, undefined, { Location: '/', 'Set-Cookie': makeSessionCookie(token, client) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return reply(302, undefined, {
      Location: `/sign-in?reason=${String(error.reason)}`,
      'Set-Cookie': makeSingleSignOnCookie(undefined, client),
    });
  }
};
