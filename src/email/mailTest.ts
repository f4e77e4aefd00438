import type { MailConfig } from '../config/mailEnvironment.js';
import { describeReason } from '../i18n/storedReasons.js';
import type { PageLanguage, Texts } from '../i18n/language.js';
import { textIn } from '../i18n/messages.js';
import { toStoredLine } from '../lib/label.js';
import { publicText } from '../lib/publicText.js';
import { newId, type System } from '../lib/system.js';
import { toMailError } from './mailError.js';
import type { MailTimeouts } from './mailSender.js';
import { makeHideSmtpSecrets } from './smtpSecrets.js';

/** How a test e-mail fared. */
export type MailTestResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      readonly reason: Texts;
      /** What the server answered, word for word; null when it did not. */
      readonly answer: string | null;
    };

export type TestMail = (config: MailConfig, to: string, language: keyof Texts) => Promise<MailTestResult>;

/** Somebody waits for it, so it takes no longer than this in all. */
const testTimeouts: MailTimeouts = {
  greetingMs: 10_000,
  commandsMs: 10_000,
  transferMs: 10_000,
  confirmationMs: 20_000,
  stopMs: 1000,
};
const deadlineMs = 30_000;
const maxAnswerLength = 500;

/** Sends an e-mail through a server that need not be saved yet, and tells what the server said. */
export const makeTestMail =
  (system: System, timeouts: MailTimeouts = testTimeouts): TestMail =>
  async (config, to, language) => {
    const { makeMailSender } = await import('./mailSender.js');
    try {
      await makeMailSender(config, timeouts).send(
        { ...composeTestEmail(language), id: newId(system), to },
        AbortSignal.timeout(deadlineMs),
      );
      return { isSent: true };
    } catch (error) {
      const { reason: stated, cause } = toMailError(error);
      // It is stopped only by the deadline of the test.
      const reason = stated.code === 'stopping' ? ({ code: 'no-answer', values: {} } as const) : stated;
      const answer = answerIn(cause);
      return {
        isSent: false,
        reason: describeReason('email', reason),
        answer:
          answer === undefined
            ? null
            : toStoredLine(publicText(makeHideSmtpSecrets(config.smtpUrl)(answer)), maxAnswerLength),
      };
    }
  };

/** Connects to a mail server and signs in. Null, or why that is not possible, in English. */
export const askMailServer = async (config: MailConfig): Promise<string | null> => {
  const { makeMailSender } = await import('./mailSender.js');
  try {
    await makeMailSender(config, testTimeouts).connect(AbortSignal.timeout(deadlineMs));
    return null;
  } catch (error) {
    const { reason } = toMailError(error);
    return describeReason('email', reason).en;
  }
};

const answerIn = (cause: unknown): string | undefined =>
  typeof cause === 'object' && cause !== null && 'response' in cause && typeof cause.response === 'string'
    ? cause.response
    : undefined;

/** The e-mail that shows that e-mails can be sent. */
export const composeTestEmail = (language: PageLanguage): { subject: string; text: string; html: string } => {
  const text = textIn(language, 'accountText', 'test');
  const html = `<!doctype html><html lang="${language}"><body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#222"><p>${text}</p></body></html>`;
  return { subject: textIn(language, 'accountSubject', 'test'), text, html };
};
