import { randomUUID } from 'node:crypto';
import type { Sample } from '../../../tools/contract/src/target/sample.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { addOrderOfTwo, addVoucher } from './orders.js';
import { inPath, nothing, ownScenario, scenario, sendAsIs, withBody, withNew } from './preparing.js';
import { forEverybodyHints } from './session.js';

/** Only the service knows which positions there are. */
const refusedQueries = ['cursor-invalid', 'time-invalid'];

const unknownVoucher = scenario('with a voucher that does not exist', ({ sample }) =>
  withBody(sample, { voucherIds: [nothing] }),
);

const chosenVoucher = /(?<="voucherIds?":\[?)\d+/;

/** The example's voucher may have been revoked, or be gone from its controller; a new one is still handed out. */
export const withValidVoucher: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const { fixture } = context.target;
  const [example] = chosenVoucher.exec(goodSample(context).body ?? '') ?? [];
  const [chosen] = chosenVoucher.exec(sample.body ?? '') ?? [];
  if (!fixture || sample.body === undefined || chosen === undefined || chosen !== example) return sample;
  const id = await addVoucher(fixture.administration().tables, 1);
  return { ...sample, body: sample.body.replace(chosenVoucher, String(id)) };
};

export const voucherSearchHints: OperationHints = {
  ...forEverybodyHints,
  refusedWith: refusedQueries,
  moreScenarios: {
    200: ownScenario(
      'of orders, one of which has two vouchers',
      async ({ administration, sample, key, context }) => {
        await addOrderOfTwo(administration.tables, 1);
        return sendAsIs(context, { ...sample, query: [['rows', 'orders']] }, key);
      },
    ),
  },
};

/** Of what makes a file. */
export const fileScenarios = {
  429: () => ({ excuse: 'the files of a run are complete too soon to have five at a time' }),
};

export const exportVouchersHints: OperationHints = {
  refusedWith: refusedQueries,
  scenarios: { ...forEverybodyHints.scenarios, ...fileScenarios },
};

export const exportSelectedVouchersHints: OperationHints = {
  refusedWith: ['selection-invalid'],
  scenarios: { 404: unknownVoucher, ...fileScenarios },
};

export const printVouchersHints: OperationHints = {
  refusedWith: ['selection-invalid', 'layout-invalid'],
  prepare: withValidVoucher,
  // Paper that does not exist is soon printed.
  maxSamples: 20,
  scenarios: { 404: unknownVoucher, ...fileScenarios },
};

export const getSlipHints: OperationHints = {
  prepare: withNew('voucherId', ({ tables }) => addVoucher(tables, 1)),
  neverShown: { fields: /^200 wifi\[\]/, because: 'the example site has no network' },
  scenarios: {
    ...forEverybodyHints.scenarios,
    409: scenario('for a voucher that has expired', async ({ administration, sample }) =>
      inPath(sample, 'voucherId', await addVoucher(administration.tables, 1, -1)),
    ),
  },
};

const withNewId = withNew('emailId', () => Promise.resolve(randomUUID()));
/** An address gets ten e-mails an hour at most, and a run sends more: each to the example's address goes to its own. */
const withNewAddress = (sample: Sample): Sample =>
  sample.body === undefined
    ? sample
    : { ...sample, body: sample.body.replace('"gast@', `"gast-${randomUUID()}@`) };
const newEmail: typeof withNewId = async (sample, context) =>
  withNewAddress(await withNewId(await withValidVoucher(sample, context), context));

export const sendEmailHints: OperationHints = {
  refusedWith: ['email-invalid'],
  neverShown: { fields: /^200 reason\./, because: 'a new e-mail was not tried yet' },
  prepare: newEmail,
  maxSamples: 20,
  scenarios: {
    400: scenario('to what is no address', async ({ sample, context }) =>
      withBody(await newEmail(sample, context), { to: 'gast' }),
    ),
    404: scenario('with a voucher that does not exist', async ({ sample, context }) =>
      withBody(await newEmail(sample, context), { voucherId: nothing }),
    ),
    429: ownScenario('to an address that got ten in this hour', async ({ sample, key, context }) => {
      const send = async () =>
        sendAsIs(context, withBody(await newEmail(sample, context), { to: 'viel@example.org' }), key);
      for (let count = 0; count < 10; count += 1) await send();
      return send();
    }),
    409: ownScenario('to another address with the same id', async ({ sample, key, context }) => {
      const email = await newEmail(sample, context);
      await sendAsIs(context, email, key);
      return sendAsIs(context, withBody(email, { to: 'andere@example.org' }), key);
    }),
  },
};
