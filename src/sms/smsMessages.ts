import { Refusal } from '../errors/problem.js';
import {
  makeGuestMessages,
  type GuestMessages,
  type GuestMessagesDeps,
  type GuestMessageWay,
} from '../guestMessages/guestMessages.js';
import type { Awaitable } from '../lib/awaitable.js';
import { toPhoneNumber } from './phoneNumber.js';
import type { ActiveSms } from './smsProvider.js';

/** SMS with vouchers. */
export interface SmsMessages extends GuestMessages<'sms'> {
  /** How SMS can be sent; undefined when they can not. */
  offer(): Promise<{ readonly countryCode: string | null } | undefined>;
}

/** What SMS are sent through. */
type FindProvider = () => Awaitable<ActiveSms | undefined>;

/** How vouchers are sent by SMS. Each costs money, so fewer than e-mails. */
const makeSmsWay = (provider: FindProvider): GuestMessageWay<'sms'> => ({
  kind: 'sms',
  action: 'voucher.sms',
  limits: {
    perVoucher: 20,
    perUser: 30,
    perRecipient: 5,
    guests: { perVoucher: 2, perRecipient: 2, perAddress: 10 },
  },
  tooMany: () => new Refusal('too-many-sms', 'this voucher was sent often enough'),
  changed: () => new Refusal('sms-changed', 'another SMS has this id already'),
  accept: async (to) => {
    const active = await provider();
    if (!active) throw new Refusal('sms-not-set-up', 'there is no SMS provider yet');
    return { to: toPhoneNumber(to, active.rules), perDay: active.rules.maxPerDay };
  },
  toRecipient: (to) => to,
});

export const makeSmsMessages = (provider: FindProvider, deps: GuestMessagesDeps): SmsMessages => ({
  ...makeGuestMessages(makeSmsWay(provider), deps),
  offer: async () => {
    const active = await provider();
    return active && { countryCode: active.rules.countryCode };
  },
});
