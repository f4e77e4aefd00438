import type { SmsProviderInput, SmsProviderView } from '../../src/sms/smsProvider.js';
import type { GuestMessage } from '../../src/guestMessages/guestMessageTable.js';
import { describeReason } from '../../src/i18n/storedReasons.js';
import type { WebSchema } from './handler.js';
import { toTime } from './replies.js';

export const toSmsProviderReply = ({ allowedCodes, ...view }: SmsProviderView): WebSchema<'SmsProvider'> => ({
  ...view,
  allowedCodes: [...allowedCodes],
});

export const toSmsProviderInput = (body: WebSchema<'SmsProviderSettings'>): SmsProviderInput => {
  const { user = null, from = null, sentText = null, countryCode = null, ...others } = body;
  return { ...others, user, from, sentText, countryCode };
};

export const toSmsReply = ({ id, to, state, at, reason }: GuestMessage<'sms'>): WebSchema<'SentSms'> => ({
  id,
  to,
  state,
  at: toTime(at),
  reason: reason && { ...describeReason('sms', reason) },
});
