import { randomUUID } from 'node:crypto';
import { runActor, type Administration } from '../local/administration.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { bodyOf, nothing, scenario, withBody, withNew } from './preparing.js';

/** Adds a profile for the first site. */
export const addProfileOfSite = async (
  { profiles }: Administration,
  { name = `Contract ${randomUUID()}`, siteId = 1 } = {},
): Promise<number> => {
  const values = { maxUses: 1, expireMinutes: 480, down: 0, up: 0, quotaMb: 0, siteIds: [siteId] };
  return (await profiles.add({ name, ...values }, runActor)).id;
};

const newProfile = withNew('profileId', (administration) => addProfileOfSite(administration));

/** Nothing else has the name of the example. */
const withFreeName: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const administration = context.target.fixture?.administration();
  const { name } = bodyOf(goodSample(context));
  const known = (await administration?.tables.profiles.all())?.find((profile) => profile.name === name);
  if (known) await administration?.profiles.remove(known.id, runActor);
  return sample;
};

const unknownSite = scenario('with a site that does not exist', ({ sample }) =>
  withBody(sample, { siteIds: [nothing] }),
);

const refusedWith = ['name-invalid'];

export const createProfileHints: OperationHints = {
  refusedWith,
  prepare: withFreeName,
  scenarios: { 409: unknownSite },
};

export const updateProfileHints: OperationHints = {
  refusedWith,
  prepare: async (sample, context) => newProfile(await withFreeName(sample, context), context),
  scenarios: {
    409: scenario('with a site that does not exist', async ({ sample, context }) =>
      withBody(await newProfile(sample, context), { siteIds: [nothing] }),
    ),
  },
};

export const deleteProfileHints: OperationHints = { prepare: newProfile };

/** The order that they have, with the revision of that. */
const withCurrentOrder: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const { fixture } = context.target;
  if (!fixture || sample.body !== goodSample(context).body) return sample;
  const { profiles } = fixture.administration().tables;
  const revision = await profiles.revision();
  return withBody(sample, { profileIds: (await profiles.all()).map(({ id }) => id), revision });
};

export const setProfileOrderHints: OperationHints = {
  prepare: withCurrentOrder,
  scenarios: {
    409: scenario('with the revision of an earlier list', async ({ sample, context }) =>
      withBody(await withCurrentOrder(sample, context), { revision: 0 }),
    ),
  },
};

/** Where the example names a profile, the request names a new one. */
export const setDefaultProfileHints: OperationHints = {
  prepare: async (sample, context) => {
    const { fixture } = context.target;
    if (!fixture || sample.body !== goodSample(context).body) return sample;
    return withBody(sample, { profileId: await addProfileOfSite(fixture.administration()) });
  },
  scenarios: {
    404: scenario('with a profile that does not exist', ({ sample }) =>
      withBody(sample, { profileId: nothing }),
    ),
  },
};
