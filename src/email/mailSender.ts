import { createTransport } from 'nodemailer';
import type { MailConfig } from '../config.js';
import { toStoredLine } from '../lib/label.js';
import { publicText } from '../lib/problem.js';
import type { VoucherEmail } from './voucherEmail.js';

/** Why an e-mail was not taken. The text may be shown to staff. */
export class MailError extends Error {
  override readonly name = 'MailError';

  constructor(
    message: string,
    /** Would another attempt fail as well? */
    readonly permanent: boolean,
  ) {
    super(message);
  }
}

export interface MailSender {
  /** Hands an e-mail to the mail server. Throws `MailError`. */
  send(email: VoucherEmail & { readonly id: string; readonly to: string }): Promise<void>;
}

/** Makes a sender with a connection of its own for each e-mail: there are few, and servers drop idle ones. */
export const makeMailSender = ({ smtpUrl, from }: MailConfig, timeoutMs: number): MailSender => ({
  send: async ({ id, to, subject, text, html, qrPicture }) => {
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new MailError('the mail server does not answer', false)), timeoutMs);
    });
    const sent = transport.sendMail({
      from,
      // As an object: nothing in it is parsed as a list of addresses.
      to: { name: '', address: to },
      // The same at every attempt: a server that has it already may notice.
      messageId: `<${id}@voucherd>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      subject,
      text,
      html,
      attachments: [
        { filename: 'qr.png', content: qrPicture.png, contentType: 'image/png', cid: qrPicture.cid },
      ],
    });
    try {
      await Promise.race([sent, deadline]);
    } catch (error) {
      throw error instanceof MailError ? error : toMailError(error);
    } finally {
      clearTimeout(timer);
      transport.close();
      // After the deadline nobody waits for it.
      sent.catch(() => undefined);
    }
  },
});

/** A server that refuses for good answers 5xx. Wrong credentials are the operator's to correct, and then it goes on. */
const toMailError = (error: unknown): MailError => {
  const { code, responseCode, response } = error as {
    code?: string;
    responseCode?: number;
    response?: string;
  };
  const permanent = code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500;
  const answer =
    code === 'EAUTH' ? 'the mail server refuses the credentials' : (response ?? publicText(error));
  return new MailError(toStoredLine(publicText(answer), maxReasonLength), permanent);
};

const maxReasonLength = 300;
