import { hash, randomUUID } from 'node:crypto';
import { draftAudit } from '../../../src/audit/audit.js';
import type { Challenge } from '../../../src/guestPages/proofOfWork.js';
import type { KioskInput } from '../../../src/kiosks/kiosks.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { runActor, type Administration } from '../local/administration.js';
import type { Sample } from '../../../tools/contract/src/target/sample.js';
import { judgeSample } from '../../../tools/contract/src/generated/oracle/oracle.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { addClosedSite } from './orderLimits.js';
import { addKioskOrder } from './orders.js';
import { inPath, ownScenario, plans, scenario, sendAsIs, withBody, withNew } from './preparing.js';
import { addProfileOfSite } from './profiles.js';
import { forEverybodyHints } from './session.js';
import { jpeg, png } from './sites.js';
import { sendingHints } from './guestSending.js';

interface NewPage {
  readonly kioskId: number;
  readonly slug: string;
  readonly profileId: number;
}

const createPage = async (
  administration: Administration,
  { siteId = 1, ...values }: Partial<KioskInput> = {},
): Promise<NewPage> => {
  const profileId = await addProfileOfSite(administration, { siteId });
  const slug = `run-${randomUUID().slice(0, 8)}`;
  const page = { siteId, profileId, perHour: 10_000, asksName: true, perDevice: 1000, slug, ...values };
  const { kiosk } = await administration.kiosks.add(page, runActor);
  return { kioskId: kiosk.id, slug, profileId };
};

const newPage = withNew(
  'slug',
  async (administration) => (await createPage(administration, { sendsSms: true })).slug,
);

const addPicture = async (administration: Administration, image: string): Promise<string> => {
  const { kioskId, slug } = await createPage(administration);
  await administration.kiosks.setBackground(kioskId, image, runActor);
  return slug;
};

const withUnknownPage = scenario('of a page that does not exist', ({ sample }) =>
  inPath(sample, 'slug', 'nothing'),
);

/** As a browser does it: the first number for each puzzle whose hash begins with enough zeros. */
const solvePuzzles = (text: string, { puzzles, bits }: Pick<Challenge, 'puzzles' | 'bits'>): number[] =>
  Array.from({ length: puzzles }, (_, index) => {
    for (let number = 0; ; number += 1) {
      const digest = hash('sha256', `${text}:${String(index)}:${String(number)}`, 'buffer');
      if (digest.readUInt32BE() >>> (32 - bits) === 0) return number;
    }
  });

/** Solved for this order, at this page. */
const withSolution = async (
  { proofOfWork }: Administration,
  sample: Sample,
  slug: string,
): Promise<Sample> => {
  const orderId = randomUUID();
  const created = await proofOfWork.create(slug);
  const { challenge } = created;
  const numbers = solvePuzzles(`${challenge}:${orderId}`, created);
  const body = sample.body
    // As text: what else is in a body, such as what makes it too long, stays.
    ?.replace('"v2:c2VhbGVk"', JSON.stringify(challenge))
    .replace('[1,2,3]', JSON.stringify(numbers));
  return { ...inPath(inPath(sample, 'slug', slug), 'orderId', orderId), body };
};

/** Where the request has the page, the order and the solution of the example, it gets ones that work. */
const solved: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const { fixture } = context.target;
  const example = goodSample(context);
  const isUsual =
    sample.path['slug'] === example.path['slug'] &&
    sample.path['orderId'] === example.path['orderId'] &&
    sample.body?.includes('"challenge":"v2:c2VhbGVk"') === true &&
    sample.body.includes('"numbers":[1,2,3]');
  // What is refused anyway needs no solution, and it takes long to find one.
  if (!fixture || !isUsual || judgeSample(context.operation, sample).kind !== 'accepted') return sample;
  const administration = fixture.administration();
  return withSolution(administration, sample, (await createPage(administration)).slug);
};

export const getGuestPageHints: OperationHints = { prepare: newPage, scenarios: { 404: withUnknownPage } };
export const createGuestChallengeHints = getGuestPageHints;

export const getGuestBackgroundHints: OperationHints = {
  prepare: withNew('slug', (administration) => addPicture(administration, png)),
  scenarios: { 404: withUnknownPage },
  moreScenarios: {
    200: scenario('of a JPEG picture', async ({ administration, sample }) =>
      inPath(sample, 'slug', await addPicture(administration, jpeg)),
    ),
  },
};

export const orderAsGuestHints: OperationHints = {
  refusedWith: ['name-invalid', 'challenge-invalid'],
  prepare: solved,
  // Each is solved first.
  maxSamples: 3,
  scenarios: {
    404: scenario('of a page that was removed', async ({ administration, sample }) => {
      const { slug, kioskId } = await createPage(administration);
      const prepared = await withSolution(administration, sample, slug);
      await administration.kiosks.remove(kioskId, runActor);
      return prepared;
    }),
    409: plans(
      scenario('with a profile that the page does not offer', async ({ administration, sample }) => {
        const { slug } = await createPage(administration);
        return withBody(await withSolution(administration, sample, slug), { profileId: 2_147_483_647 });
      }),
      scenario('when the day is used up', async ({ administration, sample }) => {
        const siteId = await addClosedSite(administration, 'guest');
        const { slug } = await createPage(administration, { siteId });
        return withSolution(administration, sample, slug);
      }),
    ),
    500: () => ({ excuse: 'the puzzle is checked before the database is asked' }),
    429: ownScenario('when the hour is used up', async ({ administration, sample, key, context }) => {
      const { slug } = await createPage(administration, { perHour: 1 });
      const send = async () => sendAsIs(context, await withSolution(administration, sample, slug), key);
      await send();
      return send();
    }),
  },
};

export const getGuestOrderHints: OperationHints = {
  prepare: async (sample, context) => {
    const { fixture } = context.target;
    const example = goodSample(context);
    const isUsual =
      sample.path['slug'] === example.path['slug'] && sample.path['orderId'] === example.path['orderId'];
    if (!fixture || !isUsual) return sample;
    const administration = fixture.administration();
    const { slug, kioskId } = await createPage(administration);
    return inPath(inPath(sample, 'slug', slug), 'orderId', await addKioskOrder(administration, kioskId));
  },
  scenarios: { 404: withUnknownPage },
};

/** Stores a request that waits. Returns its id, and the address of its page. */
const addRequestOfPage = async (
  administration: Administration,
): Promise<{ readonly id: string; readonly slug: string }> => {
  const { kioskId, profileId, slug } = await createPage(administration, { needsApproval: true });
  const [id, now] = [randomUUID(), nodeSystem.now()];
  await administration.tables.guestRequests.add(
    {
      ...{ id, kioskId, siteId: 1, profileId, name: 'Zoë', state: 'waiting', address: '127.0.0.1' },
      ...{ decidedBy: null, createdAt: now },
    },
    { maxWaiting: 1000, waitingSince: now },
  );
  return { id, slug };
};

const addRequest = async (administration: Administration): Promise<string> =>
  (await addRequestOfPage(administration)).id;

/** A voucher was just taken at a page that sends e-mails and SMS. */
const withTakenVoucher: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const { fixture } = context.target;
  const example = goodSample(context);
  const isUsual =
    sample.path['slug'] === example.path['slug'] && sample.path['orderId'] === example.path['orderId'];
  if (!fixture || !isUsual) return sample;
  const administration = fixture.administration();
  const { slug, kioskId } = await createPage(administration, { sendsEmail: true, sendsSms: true });
  return inPath(inPath(sample, 'slug', slug), 'orderId', await addKioskOrder(administration, kioskId));
};
const sending = sendingHints(withTakenVoucher, {
  unknown: withUnknownPage,
  offersNone: scenario('at a page that sends none', async ({ administration, sample }) =>
    inPath(sample, 'slug', (await createPage(administration)).slug),
  ),
  // An address sends ten in an hour.
  maxSms: 3,
});
export const emailGuestVoucherHints = sending.email;
export const smsGuestVoucherHints = sending.sms;

export const withdrawGuestRequestHints: OperationHints = {
  prepare: newPage,
  scenarios: {
    404: withUnknownPage,
    409: scenario('when staff were faster', async ({ administration, sample }) => {
      const { id, slug } = await addRequestOfPage(administration);
      const now = nodeSystem.now();
      const audit = draftAudit(runActor, 'voucher.refuse', now);
      await administration.tables.guestRequests.decide({ id, siteId: 1, createdAt: now }, 'refused', audit);
      return inPath(inPath(sample, 'slug', slug), 'orderId', id);
    }),
  },
  moreScenarios: {
    204: scenario('of a guest who waits', async ({ administration, sample }) => {
      const { id, slug } = await addRequestOfPage(administration);
      return inPath(inPath(sample, 'slug', slug), 'orderId', id);
    }),
  },
};

export const listGuestRequestsHints: OperationHints = {
  ...forEverybodyHints,
  moreScenarios: {
    200: ownScenario('while a guest waits', async ({ administration, sample, key, context }) => {
      await addRequest(administration);
      return sendAsIs(context, sample, key);
    }),
  },
};

const newRequest = withNew('orderId', addRequest);

export const decideGuestRequestHints: OperationHints = {
  prepare: newRequest,
  maxSamples: 10,
  scenarios: {
    404: scenario('of a guest who does not wait', ({ sample }) => inPath(sample, 'orderId', randomUUID())),
    409: ownScenario('otherwise than before', async ({ sample, key, context }) => {
      const prepared = await newRequest(sample, context);
      await sendAsIs(context, withBody(prepared, { isApproved: false }), key);
      return sendAsIs(context, withBody(prepared, { isApproved: true }), key);
    }),
  },
};
