import { describeReason } from '../i18n/storedReasons.js';
import type { Texts } from '../i18n/language.js';
import { takePlaces } from '../rateLimit/places.js';
import type { WindowCounter } from '../rateLimit/windowCounter.js';
import { toPhoneNumber } from './phoneNumber.js';
import { toSmsError } from './smsError.js';
import { messageWindowMs } from '../guestMessages/guestMessages.js';
import type { ActiveSms } from './smsProvider.js';
import type { SmsSender } from './smsSender.js';

/** How a test SMS fared. */
export interface SmsTestResult {
  readonly isSent: boolean;
  /** As E.164. */
  readonly to: string;
  readonly reason: Texts | null;
  /** What the provider answered; null when it did not. */
  readonly answer: string | null;
}

/** Throws `Refusal` or `Problem`. */
export type TestSms = (config: ActiveSms, to: string, language: keyof Texts) => Promise<SmsTestResult>;

const texts = {
  de: 'Test-SMS von voucherd: Der Versand von SMS funktioniert.',
  en: 'Test SMS of voucherd: SMS can be sent.',
  es: 'SMS de prueba de voucherd: se pueden enviar SMS.',
  fr: "SMS de test de voucherd : l'envoi de SMS fonctionne.",
  it: 'SMS di prova di voucherd: gli SMS si possono inviare.',
  nl: 'Test-sms van voucherd: sms verzenden werkt.',
} as const satisfies Record<keyof Texts, string>;

/** Each costs money. */
const maxTestsPerHour = 10;

/** Sends an SMS through a provider that need not be saved yet, and tells what the provider said. */
export const makeTestSms =
  (sender: SmsSender, counter: WindowCounter): TestSms =>
  async (config, given, language) => {
    const to = toPhoneNumber(given, config.rules);
    await takePlaces([{ counter, windowMs: messageWindowMs, key: 'sms-test', max: maxTestsPerHour }]);
    try {
      await sender.send(config, { to, text: texts[language] }, new AbortController().signal);
      return { isSent: true, to, reason: null, answer: null };
    } catch (error) {
      const { reason, answer } = toSmsError(error);
      return { isSent: false, to, reason: describeReason('sms', reason), answer: answer ?? null };
    }
  };
