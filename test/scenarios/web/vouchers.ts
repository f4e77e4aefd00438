import { randomUUID } from 'node:crypto';
import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import type { Sample } from '../../../tools/contract/src/target/sample.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { addUser, beginSession } from '../local/webSessions.js';
import { fileFaults, formulas } from './files.js';
import { addOrderOfTwo, addVoucher, addVoucherCalled } from './orders.js';
import {
  followedScenario,
  inPath,
  nothing,
  ownScenario,
  plans,
  scenario,
  sendAsIs,
  withBody,
  withNew,
} from './preparing.js';
import { addProfileOfSite } from './profiles.js';
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

/** The times of RFC 3339 in UTC are in the order of their texts. */
const byCreation = (one: Readonly<Record<string, unknown>>, other: typeof one): number =>
  String(one['createdAt']).localeCompare(String(other['createdAt']), 'en');

/** Staff see the vouchers of their sites, and no others. */
const ofOwnSites = (how: string, query: Sample['query'], isRight: (siteIds: readonly unknown[]) => boolean) =>
  followedScenario(
    how,
    async ({ administration, sample, context }) => {
      await addVoucher(administration.tables, 1);
      await addVoucher(administration.tables, 2);
      const token = await beginSession(administration, await addUser(administration, 'staff', [1]));
      return sendAsIs(context, { ...sample, query }, { text: () => token, scope: 'staff', limit: 0 });
    },
    async (_preparation, { answer }) => {
      const siteIds = jsonList(jsonFields(answer.body)['vouchers']).map((one) => jsonFields(one)['siteId']);
      const found = [...new Set(siteIds)].join(', ');
      return isRight(siteIds) ? [] : [`staff of site 1 find vouchers of these sites: ${found}`];
    },
  );

export const voucherSearchHints: OperationHints = {
  ...forEverybodyHints,
  refusedWith: refusedQueries,
  list: {
    timeField: 'createdAt',
    filters: {
      state: ({ state }, value) => state === value || (value === 'expired' && state === 'gone'),
    },
    sorts: { newest: (one, other) => byCreation(other, one), oldest: byCreation },
    allIds: async ({ target: { fixture } }) =>
      (await fixture?.administration().database.read('vouchers').pluck<number[]>('id')) ?? [],
  },
  moreScenarios: {
    200: plans(
      ownScenario(
        'of orders, one of which has two vouchers',
        async ({ administration, sample, key, context }) => {
          await addOrderOfTwo(administration.tables, 1);
          return sendAsIs(context, { ...sample, query: [['rows', 'orders']] }, key);
        },
      ),
      ofOwnSites('of staff', [], (siteIds) => siteIds.length > 0 && siteIds.every((id) => id === 1)),
      ofOwnSites('of staff, who ask for another site', [['siteId', '2']], (siteIds) => siteIds.length === 0),
    ),
  },
};

/** A voucher of a site that somebody does not see does not exist for them. */
export const getVoucherHints: OperationHints = {
  ...forEverybodyHints,
  moreScenarios: {
    404: ownScenario(
      'with a voucher of another site, as staff',
      async ({ administration, sample, context }) => {
        const id = await addVoucher(administration.tables, 2);
        const token = await beginSession(administration, await addUser(administration, 'staff', [1]));
        const key = { text: () => token, scope: 'staff', limit: 0 };
        return sendAsIs(context, inPath(sample, 'voucherId', id), key);
      },
    ),
  },
};

/** Spreadsheets must not take a name for a formula. */
const withFormulas = followedScenario(
  'of vouchers whose names look like formulas',
  async ({ administration, sample, key, context }) => {
    const voucherIds: number[] = [];
    for (const name of formulas) voucherIds.push(await addVoucherCalled(administration.tables, name));
    return sendAsIs(context, sample.body === undefined ? sample : withBody(sample, { voucherIds }), key);
  },
  async (_preparation, { answer }) => [
    ...fileFaults(answer),
    ...(answer.text.includes('SUM(1)') ? [] : ['the file does not have the new vouchers']),
  ],
);

export const exportVouchersHints: OperationHints = {
  ...forEverybodyHints,
  refusedWith: refusedQueries,
  moreScenarios: { 200: withFormulas },
};

export const exportSelectedVouchersHints: OperationHints = {
  refusedWith: ['selection-invalid'],
  scenarios: { 404: unknownVoucher },
  moreScenarios: { 200: withFormulas },
};

/** The log has what people have chosen, such as the names of profiles. */
export const exportAuditHints: OperationHints = {
  moreScenarios: {
    200: followedScenario(
      'after a profile was called like a formula',
      async ({ administration, sample, key, context }) => {
        await addProfileOfSite(administration, { name: `@SUM(${randomUUID()})` });
        return sendAsIs(context, sample, key);
      },
      async (_preparation, { answer }) => fileFaults(answer),
    ),
  },
};

export const printVouchersHints: OperationHints = {
  refusedWith: ['selection-invalid', 'layout-invalid'],
  prepare: withValidVoucher,
  // Paper that does not exist is soon printed.
  maxSamples: 20,
  scenarios: {
    404: unknownVoucher,
    409: scenario('of a voucher that has expired', async ({ administration, sample }) =>
      withBody(sample, { voucherIds: [await addVoucher(administration.tables, 1, -1)] }),
    ),
  },
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
