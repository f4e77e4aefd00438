import { domainToASCII } from 'node:url';
import { Refusal } from '../errors/problem.js';
import {
  makeGuestMessages,
  type GuestMessages,
  type GuestMessagesDeps,
  type GuestMessageWay,
} from '../guestMessages/guestMessages.js';
import { isEmailAddress } from '../users/names.js';

/** E-mails with vouchers. */
export interface Emails extends GuestMessages<'email'> {
  /** Can vouchers be sent by e-mail? */
  isSetUp(): Promise<boolean>;
}

/** How vouchers are sent by e-mail: more than anybody needs, and few enough not to flood a guest. */
const makeEmailWay = (isSetUp: Emails['isSetUp']): GuestMessageWay<'email'> => ({
  kind: 'email',
  action: 'voucher.email',
  limits: {
    perVoucher: 50,
    perUser: 60,
    perRecipient: 10,
    guests: { perVoucher: 3, perRecipient: 3 },
  },
  tooMany: () => new Refusal('too-many-emails', 'this voucher was sent often enough'),
  changed: () => new Refusal('email-changed', 'another e-mail has this id already'),
  accept: async (to) => {
    if (!(await isSetUp())) throw new Refusal('email-not-set-up', 'there is no mail server yet');
    if (!isEmailAddress(to)) throw new Refusal('email-invalid', 'not a valid e-mail address', 'invalid');
    return { to };
  },
  toRecipient: (to) => {
    const at = to.lastIndexOf('@');
    const [name = ''] = to.slice(0, at).normalize('NFKC').toLowerCase().split('+');
    return `${name}@${domainToASCII(to.slice(at + 1)).replace(/\.$/, '')}`;
  },
});

export const makeEmails = (isSetUp: Emails['isSetUp'], deps: GuestMessagesDeps): Emails => ({
  ...makeGuestMessages(makeEmailWay(isSetUp), deps),
  isSetUp,
});
