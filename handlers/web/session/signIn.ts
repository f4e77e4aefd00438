import { makeUnavailable } from '../../../src/errors/httpProblem.js';
import { Problem } from '../../../src/errors/problem.js';
import { makeSignInCookies, toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const signIn: WebHandler<'signIn'> = async ({ input, reply, client }, { auth }) => {
  const result = await auth.signIn(input.body, toSessionClient(client, input.cookie));
  switch (result.outcome) {
    case 'signed-in':
      return reply(200, { outcome: 'signed-in' }, { 'Set-Cookie': makeSignInCookies(result, client) });
    case 'code-required':
      return reply(200, { outcome: 'code-required' });
    case 'refused':
      throw new Problem('unauthorized');
    case 'throttled':
      throw new Problem('rate_limited', {}, { 'Retry-After': String(result.retryAfterSeconds) });
    case 'busy':
      throw makeUnavailable();
  }
};
