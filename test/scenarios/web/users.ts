import { jsonFields } from '../../../tools/contract/src/json.js';
import { runActor } from '../local/administration.js';
import { addUser, beginSession } from '../local/webSessions.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { addInvited } from './passwordLinks.js';
import { bodyOf, inPath, nothing, ownScenario, scenario, sendAsIs, withBody, withNew } from './preparing.js';

export const createUserHints: OperationHints = {
  refusedWith: ['name-invalid', 'email-invalid', 'invitation-impossible'],
  // Each gets a password, and hashing one takes long on purpose.
  maxSamples: 3,
  prepare: async (sample, context) => {
    const users = context.target.fixture?.administration().auth.users;
    const known = await users?.findByName(String(bodyOf(goodSample(context))['name']));
    if (known) await users?.remove(known.id, runActor);
    return sample;
  },
  scenarios: {
    409: scenario('with the name of another user', async ({ administration, sample }) => {
      const { name } = await addUser(administration, 'staff');
      return withBody(sample, { name, email: null });
    }),
    429: ownScenario(
      'with an invitation to an address that got ten in this hour',
      async ({ administration, sample, key, context }) => {
        const email = 'oft@example.org';
        const id = await addInvited(administration, email);
        // Another operation counts with it, and hashes no password.
        const again = { ...context, operation: context.contract.operation('sendInvitation') };
        for (let count = 0; count < 10; count += 1)
          await sendAsIs(again, inPath(goodSample(again), 'userId', id), key);
        await administration.auth.users.remove(id, runActor);
        const invited = { name: 'Oft Eingeladen', email, siteIds: [], invite: true };
        return sendAsIs(context, withBody(sample, invited), key);
      },
    ),
  },
};

const newUser = withNew('userId', async (administration) => (await addUser(administration, 'staff')).id);

/** The names that a request may give to a user: none in a body that is no JSON. */
const namesIn = (sample: Parameters<typeof bodyOf>[0]): unknown[] => {
  try {
    const { name = '', email = '' } = bodyOf(sample);
    return [name, email];
  } catch {
    return [];
  }
};

export const updateUserHints: OperationHints = {
  refusedWith: ['name-invalid', 'email-invalid'],
  prepare: async (sample, context) => {
    const users = context.target.fixture?.administration().auth.users;
    for (const taken of namesIn(sample)) {
      const known = await users?.findByName(String(taken));
      if (known) await users?.remove(known.id, runActor);
    }
    return newUser(sample, context);
  },
  scenarios: {
    409: scenario('with a site that does not exist', async ({ administration, sample }) => {
      const { id } = await addUser(administration, 'staff');
      return withBody(inPath(sample, 'userId', id), { siteIds: [nothing] });
    }),
  },
};

export const deleteUserHints: OperationHints = {
  prepare: newUser,
  scenarios: {
    409: ownScenario('as the last administrator', async ({ administration, sample, key, context }) => {
      const { users } = administration.auth;
      const own = { ...context, operation: context.contract.operation('getSession') };
      const { answer } = await sendAsIs(own, goodSample(own), key);
      const ownId = Number(jsonFields(answer.body)['id']);
      for (const { id, role } of await users.list())
        if (role === 'admin' && id !== ownId) await users.remove(id, runActor);
      const sent = await sendAsIs(context, inPath(sample, 'userId', ownId), key);
      // Other sessions of the run are gone with their users.
      await context.target.keys.renew?.(() => Promise.resolve(false));
      return sent;
    }),
  },
};

export const resetPasswordHints: OperationHints = {
  // Hashing a password takes long on purpose.
  maxSamples: 3,
  prepare: newUser,
};

export const resetSecondFactorHints: OperationHints = {
  prepare: newUser,
  scenarios: {
    409: scenario('of a user who has none', async ({ administration, sample }) => {
      const { id } = await addUser(administration, 'staff');
      await administration.auth.secondFactor.reset(id, runActor);
      return inPath(sample, 'userId', id);
    }),
  },
};

export const listSessionsHints: OperationHints = {
  prepare: withNew('userId', async (administration) => {
    const user = await addUser(administration, 'staff');
    await beginSession(administration, user);
    return user.id;
  }),
};

export const endSessionsHints: OperationHints = { prepare: newUser };
