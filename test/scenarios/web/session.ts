import { hash, randomUUID } from 'node:crypto';
import { inUserTransaction } from '../../../src/users/userTable.js';
import { runActor } from '../local/administration.js';
import { addUser, beginSession, runPassword } from '../local/webSessions.js';
import { isExcuse } from '../../../tools/contract/src/target/keys.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { tooManyAttempts } from './account.js';
import {
  bodyOf,
  fromNewAddress,
  inPath,
  ownScenario,
  plans,
  scenario,
  sendAsIs,
  withBody,
} from './preparing.js';

export const createFirstAdministratorHints: OperationHints = {
  scenarios: {
    201: ownScenario('while there are no users', async ({ administration, sample, key, context }) => {
      const { database, auth } = administration;
      // No function of the service removes the last administrator. The run's own users come back with the answer.
      await inUserTransaction(database.write, (transaction) => transaction('users').delete());
      const token = (await auth.firstStart.begin())?.token;
      return sendAsIs(context, withBody(sample, { token }), key);
    }),
    409: scenario('while there are users', ({ sample }) => sample),
  },
};

export const signInHints: OperationHints = {
  scenarios: {
    200: plans(
      scenario('with the request of the example', async ({ administration: { auth }, sample }) => {
        const name = String(bodyOf(sample)['login']);
        const known = await auth.users.findByName(name);
        if (known) await auth.users.remove(known.id, runActor);
        await auth.users.create({ name, role: 'staff', password: runPassword }, runActor);
        return fromNewAddress(sample);
      }),
      scenario('without the code of the second factor', async ({ administration, sample }) => {
        const { name } = await addUser(administration, 'staff');
        return withBody(fromNewAddress(sample), { login: name });
      }),
    ),
    401: plans(
      scenario('with a wrong password', async ({ administration, sample }) => {
        const { name } = await addUser(administration, 'staff');
        return withBody(fromNewAddress(sample), { login: name, password: 'not the password' });
      }),
      scenario('with a wrong code', async ({ administration, sample }) => {
        const { name } = await addUser(administration, 'staff');
        return withBody(fromNewAddress(sample), { login: name, code: '000000' });
      }),
      scenario('as nobody', ({ sample }) => withBody(fromNewAddress(sample), { login: 'nobody' })),
    ),
    429: tooManyAttempts(async (sample, { auth }) => {
      const login = `Contract ${randomUUID()}`;
      await auth.users.create({ name: login, role: 'staff', password: runPassword }, runActor);
      return withBody(sample, { login, password: 'not the password' });
    }),
  },
  // The password of somebody who does not exist is hashed, which takes long on purpose.
  maxSamples: 4,
};

/** No provider is configured in a run. */
const whileOff = {
  302: scenario('while single sign-on is off', ({ sample }) => sample),
  500: () => ({ excuse: 'single sign-on is off in a run, and nothing of it fails then' }),
};

export const singleSignOnHints: OperationHints = { scenarios: whileOff };

/** 403 of what every role may do. */
export const forEverybodyHints: OperationHints = {
  scenarios: {
    403: ownScenario('while the password has to be changed', async ({ administration, sample, context }) => {
      const input = { name: `Contract ${randomUUID()}`, role: 'staff', password: runPassword } as const;
      const { users } = administration.auth;
      const user = await users.create({ ...input, passwordIsTemporary: true }, runActor);
      const token = await beginSession(administration, user);
      return sendAsIs(context, sample, { text: () => token, scope: 'staff', limit: 0 });
    }),
  },
};

export const getOverviewHints: OperationHints = {
  ...forEverybodyHints,
  refusedWith: ['time-zone-unknown'],
  moreScenarios: {
    200: ownScenario('as an administrator', async ({ sample, context }) => {
      const key = context.target.keys.permitting('admin');
      if (isExcuse(key)) throw new Error(key.excuse);
      return sendAsIs(context, sample, key);
    }),
  },
};

export const endOwnSessionHints: OperationHints = {
  scenarios: {
    204: scenario("with the id of one's own session", ({ sample, key }) =>
      inPath(sample, 'sessionId', hash('sha256', key.text(), 'hex')),
    ),
  },
};
