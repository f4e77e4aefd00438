import { randomUUID } from 'node:crypto';
import type { KioskInput } from '../../../src/kiosks/kiosks.js';
import { runActor, type Administration } from '../local/administration.js';
import type { Sample } from '../../../tools/contract/src/target/sample.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { addProfileOfSite } from './profiles.js';
import { inPath, nothing, ownScenario, scenario, sendAsIs, withBody, withNew } from './preparing.js';

/** With a profile of its own: others are removed in a run. */
const createKiosk = async (administration: Administration, values: Partial<KioskInput> = {}) => {
  const profileId = await addProfileOfSite(administration);
  return administration.kiosks.add(
    { siteId: 1, profileId, perHour: 10_000, asksName: true, ...values },
    runActor,
  );
};

const tokenHeader = 'X-Kiosk-Token';

const withToken = (sample: Sample, token: string): Sample => ({
  ...sample,
  headers: [...sample.headers.filter(([name]) => name !== tokenHeader), [tokenHeader, token]],
});

/** Where the request has the token of the example, it gets one that works. */
const withNewToken: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const { fixture } = context.target;
  const tokenOf = ({ headers }: Sample) => headers.find(([name]) => name === tokenHeader)?.[1];
  if (!fixture || tokenOf(sample) !== tokenOf(goodSample(context))) return sample;
  return withToken(sample, (await createKiosk(fixture.administration())).token);
};

const newOrder = withNew('orderId', () => Promise.resolve(randomUUID()));

const withUnknownToken = scenario('with a token that nothing has', ({ sample }) => withToken(sample, 'x'));

export const createKioskHints: OperationHints = {
  scenarios: {
    409: scenario('with a site that does not exist', ({ sample }) => withBody(sample, { siteId: nothing })),
  },
};

export const deleteKioskHints: OperationHints = {
  prepare: withNew('kioskId', async (administration) => (await createKiosk(administration)).kiosk.id),
};

export const getKioskHints: OperationHints = {
  prepare: withNewToken,
  scenarios: { 404: withUnknownToken },
};

export const takeVoucherHints: OperationHints = {
  refusedWith: ['name-invalid'],
  prepare: async (sample, context) => newOrder(await withNewToken(sample, context), context),
  scenarios: {
    404: withUnknownToken,
    409: ownScenario(
      'with another name for the same order',
      async ({ administration, sample, key, context }) => {
        const { token } = await createKiosk(administration);
        const order = inPath(withToken(sample, token), 'orderId', randomUUID());
        await sendAsIs(context, withBody(order, { name: 'Anna' }), key);
        return sendAsIs(context, withBody(order, { name: 'Berta' }), key);
      },
    ),
    429: ownScenario('when the hour is used up', async ({ administration, sample, key, context }) => {
      const { token } = await createKiosk(administration, { perHour: 1 });
      const order = () => inPath(withToken(sample, token), 'orderId', randomUUID());
      await sendAsIs(context, order(), key);
      return sendAsIs(context, order(), key);
    }),
  },
};
