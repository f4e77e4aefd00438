import { randomUUID } from 'node:crypto';
import type { KioskInput } from '../../../src/kiosks/kiosks.js';
import { runActor, type Administration } from '../local/administration.js';
import type { Sample } from '../../../tools/contract/src/target/sample.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { addClosedSite } from './orderLimits.js';
import { addKioskOrder } from './orders.js';
import { findRunPrinter } from './printers.js';
import { addProfileOfSite } from './profiles.js';
import { jpeg, png } from './sites.js';
import { sendingHints } from './guestSending.js';
import { inPath, nothing, ownScenario, plans, scenario, sendAsIs, withBody, withNew } from './preparing.js';

/** With a profile of its own: others are removed in a run. */
const createKiosk = async (administration: Administration, values: Partial<KioskInput> = {}) => {
  const { siteId = 1 } = values;
  const profileId = await addProfileOfSite(administration, { siteId });
  return administration.kiosks.add(
    { siteId, profileId, perHour: 10_000, asksName: true, ...values },
    runActor,
  );
};

const tokenHeader = 'X-Kiosk-Token';

/** With everything that a kiosk can offer. */
const createFullKiosk = async (administration: Administration) => {
  const printerId = await findRunPrinter(administration);
  return createKiosk(administration, { sendsEmail: true, sendsSms: true, printerId, perDevice: 1000 });
};

const withToken = (sample: Sample, token: string): Sample => ({
  ...sample,
  headers: [...sample.headers.filter(([name]) => name !== tokenHeader), [tokenHeader, token]],
});

const tokenOf = ({ headers }: Sample) => headers.find(([name]) => name === tokenHeader)?.[1];

/** Where the request has the token of the example, it gets one that works. */
const withNewToken: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const { fixture } = context.target;
  if (!fixture || tokenOf(sample) !== tokenOf(goodSample(context))) return sample;
  return withToken(sample, (await createFullKiosk(fixture.administration())).token);
};

/** The token of a new kiosk with a picture. */
const addPicture = async (administration: Administration, image: string): Promise<string> => {
  const { kiosk, token } = await createFullKiosk(administration);
  await administration.kiosks.setBackground(kiosk.id, image, runActor);
  return token;
};

/** The kiosk of the example has a picture. */
const withPicture: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const { fixture } = context.target;
  if (!fixture || tokenOf(sample) !== tokenOf(goodSample(context))) return sample;
  return withToken(sample, await addPicture(fixture.administration(), png));
};

/** A voucher was just taken at the kiosk of the example, by the order of the example. */
const withTaken: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const { fixture } = context.target;
  const prepared = await withNewToken(sample, context);
  if (!fixture || prepared === sample || sample.path['orderId'] !== goodSample(context).path['orderId'])
    return prepared;
  const administration = fixture.administration();
  const [kiosk] = await administration.tables.kiosks.all();
  return inPath(prepared, 'orderId', await addKioskOrder(administration, kiosk?.id ?? 0));
};

const newOrder = withNew('orderId', () => Promise.resolve(randomUUID()));

const withUnknownToken = scenario('with a token that nothing has', ({ sample }) => withToken(sample, 'x'));

export const createKioskHints: OperationHints = {
  refusedWith: ['name-invalid'],
  noSequence:
    'fields of a kiosk depend on each other: what needs a name asks for it, and only guest pages need approval',
  scenarios: {
    409: scenario('with a site that does not exist', ({ sample }) => withBody(sample, { siteId: nothing })),
  },
};

const newKiosk = withNew('kioskId', async (administration) => (await createKiosk(administration)).kiosk.id);

export const updateKioskHints: OperationHints = {
  refusedWith: ['name-invalid'],
  prepare: newKiosk,
  scenarios: {
    409: scenario('with a site that does not exist', async ({ sample, context }) =>
      withBody(await newKiosk(sample, context), { siteId: nothing }),
    ),
  },
};

export const deleteKioskHints: OperationHints = { prepare: newKiosk };
export const renewKioskLinkHints: OperationHints = { prepare: newKiosk };
export const setKioskBackgroundHints: OperationHints = { refusedWith: ['image-invalid'], prepare: newKiosk };
export const deleteKioskBackgroundHints: OperationHints = { prepare: newKiosk };

export const getKioskHints: OperationHints = {
  prepare: withNewToken,
  scenarios: { 404: withUnknownToken },
};

export const getKioskBackgroundHints: OperationHints = {
  prepare: withPicture,
  scenarios: { 404: withUnknownToken },
  moreScenarios: {
    200: scenario('of a JPEG picture', async ({ administration, sample }) =>
      withToken(sample, await addPicture(administration, jpeg)),
    ),
  },
};

const sending = sendingHints(withTaken, {
  unknown: withUnknownToken,
  offersNone: scenario('at a kiosk that sends none', async ({ sample, administration }) =>
    withToken(sample, (await createKiosk(administration)).token),
  ),
  maxSms: 20,
});
export const emailTakenVoucherHints = sending.email;
export const smsTakenVoucherHints = sending.sms;

export const printTakenVoucherHints: OperationHints = {
  prepare: withTaken,
  maxSamples: 20,
  scenarios: {
    404: withUnknownToken,
    409: scenario('at a kiosk without a printer', async ({ sample, administration }) =>
      withToken(sample, (await createKiosk(administration)).token),
    ),
    429: ownScenario('for the fourth time', async ({ sample, key, context }) => {
      const prepared = await withTaken(sample, context);
      for (let count = 0; count < 3; count += 1) await sendAsIs(context, prepared, key);
      return sendAsIs(context, prepared, key);
    }),
  },
};

export const takeVoucherHints: OperationHints = {
  refusedWith: ['name-invalid'],
  prepare: async (sample, context) => newOrder(await withNewToken(sample, context), context),
  scenarios: {
    404: withUnknownToken,
    409: plans(
      ownScenario(
        'with another name for the same order',
        async ({ administration, sample, key, context }) => {
          const { token } = await createKiosk(administration);
          const order = inPath(withToken(sample, token), 'orderId', randomUUID());
          await sendAsIs(context, withBody(order, { name: 'Anna' }), key);
          return sendAsIs(context, withBody(order, { name: 'Berta' }), key);
        },
      ),
      scenario('when the day is used up', async ({ administration, sample }) => {
        const siteId = await addClosedSite(administration, 'kiosk');
        const { token } = await createKiosk(administration, { siteId });
        return inPath(withToken(sample, token), 'orderId', randomUUID());
      }),
    ),
    429: ownScenario('when the hour is used up', async ({ administration, sample, key, context }) => {
      const { token } = await createKiosk(administration, { perHour: 1 });
      const order = () => inPath(withToken(sample, token), 'orderId', randomUUID());
      await sendAsIs(context, order(), key);
      return sendAsIs(context, order(), key);
    }),
  },
};
