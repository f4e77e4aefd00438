/** What people do for themselves. Most of it asks for the password again, and wrong ones are counted. */
import { jsonFields } from '../../../tools/contract/src/json.js';
import type { HttpExchange } from '../../../tools/contract/src/request.js';
import { runActor, type Administration } from '../local/administration.js';
import { codeOf } from '../local/webSessions.js';
import type { Sample } from '../../../tools/contract/src/target/sample.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { asNewUser, ownScenario, scenario, sendAsIs, withBody } from './preparing.js';

/** As many attempts as an account has in a quarter of an hour. */
const maxAttempts = 10;

const wrongPassword = { current: 'not the password' };

/** 429: one attempt more than an account has. */
export const tooManyAttempts = (
  wrong: (sample: Sample, administration: Administration) => Promise<Sample> | Sample,
) =>
  ownScenario('after too many attempts', async ({ context, sample, key, administration }) => {
    // All of them are of one new user, from one new address.
    const attempt = await wrong(await asNewUser(sample, context), administration);
    let sent: HttpExchange | undefined;
    for (let count = 0; count <= maxAttempts; count += 1) sent = await sendAsIs(context, attempt, key);
    if (!sent) throw new Error('nothing was sent');
    return sent;
  });

/** How each of them is refused. */
export const passwordHints: OperationHints = {
  prepare: asNewUser,
  scenarios: {
    409: scenario('with a wrong password', async ({ sample, context }) =>
      withBody(await asNewUser(sample, context), wrongPassword),
    ),
    429: tooManyAttempts((sample) => withBody(sample, wrongPassword)),
  },
  // Generated requests soon use up the attempts of their user.
  outcomes: (_, { operation }) => [
    ...operation.responses.map(({ status }) => status).filter((status) => status < 300),
    409,
    429,
  ],
};

export const confirmSecondFactorHints: OperationHints = {
  ...passwordHints,
  scenarios: {
    200: ownScenario('with a code of the new secret', async ({ sample, key, context }) => {
      const beginning = { ...context, operation: context.contract.operation('beginSecondFactor') };
      const begin = await asNewUser(goodSample(beginning), context);
      const { answer } = await sendAsIs(beginning, begin, key);
      const code = codeOf(String(jsonFields(answer.body)['secret']));
      return sendAsIs(context, withBody(sample, { code }), key);
    }),
    409: scenario('while none is being set up', ({ sample, context }) => asNewUser(sample, context)),
    429: tooManyAttempts((sample) => sample),
  },
};

export const deleteSecondFactorHints: OperationHints = {
  ...passwordHints,
  prepare: async (sample, context) => {
    const { fixture } = context.target;
    await fixture?.administration().auth.signInRules.set({ secondFactorRoles: [] }, runActor);
    return asNewUser(sample, context);
  },
};
