import { randomUUID } from 'node:crypto';
import { draftAudit } from '../../../src/audit/audit.js';
import { nodeSystem } from '../../../src/lib/system.js';
import type { Sample } from '../../../tools/contract/src/target/sample.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { runActor } from '../local/administration.js';
import { nothing, ownScenario, scenario, sendAsIs, withBody, withNew } from './preparing.js';
import { withValidVoucher } from './vouchers.js';

/** The provider of the run, which the environment sets. */
const runProvider = {
  ...{ kind: 'http', url: 'http://127.0.0.1:1/', user: null, secret: undefined, from: null },
  ...{ method: 'POST', headers: '', format: 'json', body: '{"to":"{to}","text":"{text}"}', sentText: null },
  ...{ countryCode: '49', allowedCodes: [], maxPerDay: 100_000 },
};

const refusedWith = [
  ...['setting-fixed', 'url-invalid', 'sms-number-invalid', 'sms-body-invalid', 'sms-headers-invalid'],
  ...['sms-from-invalid', 'sms-user-invalid', 'sms-secret-invalid', 'sms-secret-mixed'],
];

export const setSmsProviderHints: OperationHints = {
  refusedWith,
  prepare: (sample, context) => {
    const example = goodSample(context);
    return Promise.resolve(sample.body === example.body ? withBody(sample, runProvider) : sample);
  },
  scenarios: {
    409: scenario('with another provider than the environment sets', ({ sample }) =>
      withBody(sample, { ...runProvider, url: 'http://127.0.0.1:2/' }),
    ),
  },
};

/**
 * Ten tests an hour are all that the service sends. So only the scenarios that need one send it: the provider of the
 * example is not the one that the environment sets, and is refused before anything is counted.
 */
export const testSmsProviderHints: OperationHints = {
  refusedWith,
  maxSamples: 5,
  scenarios: {
    200: scenario('through the provider that the environment sets', ({ sample }) =>
      withBody(sample, { provider: runProvider }),
    ),
    409: scenario('with another provider than the environment sets', ({ sample }) =>
      withBody(sample, { provider: { ...runProvider, url: 'http://127.0.0.1:2/' } }),
    ),
    429: ownScenario('after ten in this hour', async ({ sample, key, context }) => {
      const send = () => sendAsIs(context, withBody(sample, { provider: runProvider }), key);
      for (let count = 0; count < 10; count += 1) await send();
      return send();
    }),
  },
};

const audit = () => draftAudit(runActor, 'setting.sms', nodeSystem.now());

export const deleteSmsProviderHints: OperationHints = {
  prepare: async (sample, { target }) => {
    if (target.fixture)
      await target.fixture.administration().tables.connections.save('sms', { maxPerDay: 5 }, null, audit());
    return sample;
  },
  scenarios: {
    404: ownScenario('while none is stored', async ({ administration, sample, key, context }) => {
      await administration.tables.connections.remove('sms', audit());
      return sendAsIs(context, sample, key);
    }),
  },
};

const withNewId = withNew('smsId', () => Promise.resolve(randomUUID()));
/** A number that nobody else of the run uses. */
export const newNumber = (): string =>
  `+49${BigInt(`0x${randomUUID().slice(0, 8)}`)
    .toString()
    .padStart(10, '0')
    .replace(/^0/, '1')}`;

/** A number gets few SMS an hour, and a run sends more: each to the example's number goes to its own. */
export const withNewNumber = (sample: Sample): Sample =>
  sample.body === undefined
    ? sample
    : { ...sample, body: sample.body.replace('"+491711234567"', `"${newNumber()}"`) };
const newSms: typeof withNewId = async (sample, context) =>
  withNewNumber(await withNewId(await withValidVoucher(sample, context), context));

export const sendSmsHints: OperationHints = {
  refusedWith: ['sms-number-invalid'],
  neverShown: { fields: /^200 reason\./, because: 'a new SMS was not tried yet' },
  prepare: newSms,
  maxSamples: 10,
  scenarios: {
    400: scenario('to what is no number', async ({ sample, context }) =>
      withBody(await newSms(sample, context), { to: 'gast' }),
    ),
    404: scenario('with a voucher that does not exist', async ({ sample, context }) =>
      withBody(await newSms(sample, context), { voucherId: nothing }),
    ),
    429: ownScenario('to a number that got five in this hour', async ({ sample, key, context }) => {
      const send = async () =>
        sendAsIs(context, withBody(await newSms(sample, context), { to: '+436601234567' }), key);
      for (let count = 0; count < 5; count += 1) await send();
      return send();
    }),
    409: ownScenario('to another number with the same id', async ({ sample, key, context }) => {
      const sms = await newSms(sample, context);
      await sendAsIs(context, sms, key);
      return sendAsIs(context, withBody(sms, { to: '+436607654321' }), key);
    }),
  },
};
