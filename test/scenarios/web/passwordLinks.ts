import { randomUUID } from 'node:crypto';
import type { HttpExchange } from '../../../tools/contract/src/request.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { runActor, type Administration } from '../local/administration.js';
import { addUser, runPassword } from '../local/webSessions.js';
import { fromNewAddress, inPath, ownScenario, scenario, sendAsIs, withBody, withNew } from './preparing.js';

/** How many requests of one address are accepted in an hour. */
const maxPerAddress = 20;

const tooOften = ownScenario('too often from one address', async ({ context, sample, key }) => {
  const attempt = fromNewAddress(sample);
  let sent: HttpExchange | undefined;
  for (let count = 0; count <= maxPerAddress; count += 1) sent = await sendAsIs(context, attempt, key);
  if (!sent) throw new Error('nothing was sent');
  return sent;
});

/** Somebody new, who has chosen no password yet. */
export const addInvited = async (
  { auth }: Administration,
  email = `${randomUUID()}@example.org`,
): Promise<number> => {
  const name = `Contract ${randomUUID()}`;
  const input = { name, email, role: 'staff', password: runPassword, passwordIsTemporary: true } as const;
  return (await auth.users.create(input, runActor)).id;
};

const fromElsewhere: NonNullable<OperationHints['prepare']> = (sample) =>
  Promise.resolve(fromNewAddress(sample));

export const requestPasswordResetHints: OperationHints = {
  prepare: fromElsewhere,
  scenarios: {
    409: () => ({ excuse: 'a service of the run has a mail server' }),
    429: tooOften,
  },
};

export const choosePasswordHints: OperationHints = {
  // Hashing a password takes long on purpose.
  maxSamples: 4,
  prepare: fromElsewhere,
  refusedWith: ['token-refused'],
  scenarios: {
    204: scenario('with the token of a link', async ({ administration, sample }) => {
      const user = await administration.tables.users.find(await addInvited(administration));
      const made = user && (await administration.auth.tokens.make(user, 'invitation'));
      return withBody(fromNewAddress(sample), { token: made?.token });
    }),
    409: scenario('with a token that nobody got', ({ sample }) => fromNewAddress(sample)),
    429: tooOften,
  },
};

const newInvited = withNew('userId', addInvited);

export const sendInvitationHints: OperationHints = {
  prepare: newInvited,
  scenarios: {
    409: scenario('to somebody with a password of their own', async ({ administration, sample }) =>
      inPath(sample, 'userId', (await addUser(administration, 'staff')).id),
    ),
    429: ownScenario(
      'to an address that got ten in this hour',
      async ({ administration, sample, key, context }) => {
        const invited = inPath(sample, 'userId', await addInvited(administration));
        for (let count = 0; count < 10; count += 1) await sendAsIs(context, invited, key);
        return sendAsIs(context, invited, key);
      },
    ),
  },
};
