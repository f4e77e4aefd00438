import { randomUUID } from 'node:crypto';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { ownScenario, scenario, sendAsIs, withBody, withNew, type MakePlan } from './preparing.js';
import { newNumber, withNewNumber } from './sms.js';

type Prepare = NonNullable<OperationHints['prepare']>;

const withNewEmailId = withNew('emailId', () => Promise.resolve(randomUUID()));
const withNewSmsId = withNew('smsId', () => Promise.resolve(randomUUID()));

/** Guests have the voucher that they have just taken sent to them. */
export const sendingHints = (
  taken: Prepare,
  {
    unknown,
    offersNone,
    maxSms,
  }: { readonly unknown: MakePlan; readonly offersNone: MakePlan; readonly maxSms: number },
): { readonly email: OperationHints; readonly sms: OperationHints } => {
  const newEmail: Prepare = async (sample, context) => {
    const prepared = await withNewEmailId(await taken(sample, context), context);
    // An address gets three e-mails an hour from guests, and a run sends more.
    return { ...prepared, body: prepared.body?.replace('"gast@', `"gast-${randomUUID()}@`) };
  };
  // A number gets two SMS an hour from guests, and a run sends more.
  const newSms: Prepare = async (sample, context) =>
    withNewNumber(await withNewSmsId(await taken(sample, context), context));
  /** Sends to one receiver once more than may be. */
  const tooMany = (title: string, prepare: Prepare, makeReceiver: () => string, most: number): MakePlan =>
    ownScenario(title, async ({ sample, key, context }) => {
      const to = makeReceiver();
      const send = async () => sendAsIs(context, withBody(await prepare(sample, context), { to }), key);
      for (let count = 0; count < most; count += 1) await send();
      return send();
    });
  const toNone = (title: string, prepare: Prepare): MakePlan =>
    scenario(title, async ({ sample, context }) => withBody(await prepare(sample, context), { to: 'gast' }));
  const newAddress = (): string => `viel-${randomUUID()}@example.org`;
  return {
    email: {
      refusedWith: ['email-invalid'],
      prepare: newEmail,
      maxSamples: 20,
      scenarios: {
        404: unknown,
        400: toNone('to what is no address', newEmail),
        409: offersNone,
        429: tooMany('to an address that got three in this hour', newEmail, newAddress, 3),
      },
    },
    sms: {
      refusedWith: ['sms-number-invalid'],
      prepare: newSms,
      maxSamples: maxSms,
      scenarios: {
        404: unknown,
        400: toNone('to what is no number', newSms),
        409: offersNone,
        429: tooMany('to a number that got two in this hour', newSms, newNumber, 2),
      },
    },
  };
};
