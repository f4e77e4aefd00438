import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailConfig } from '../config.js';
import { toStoredLine } from '../lib/label.js';
import { publicText } from '../lib/publicText.js';
import type { VoucherEmail } from './voucherEmail.js';

/** What a failed attempt means: retry, a retry would fail again, or it is not known whether the e-mail was sent. */
type MailFailure = 'temporary' | 'permanent' | 'unknown';

/** Why an e-mail was not accepted. The text may be shown to staff. */
export class MailError extends Error {
  override readonly name = 'MailError';

  constructor(
    message: string,
    readonly failure: MailFailure,
  ) {
    super(message);
  }
}

/** The steps of an attempt, and how long each may take. RFC 5321, 4.5.3.2, defines how long a client has to wait. */
export interface MailTimeouts {
  /** To be connected, encrypted and greeted. */
  readonly greetingMs: number;
  /** Until the server asks for the message: sign-in, sender, recipient. */
  readonly commandsMs: number;
  /** Until it has the message. */
  readonly transferMs: number;
  /** Until it has confirmed the message. It may look for viruses and deliver it meanwhile. */
  readonly confirmationMs: number;
  /** The same, while the service stops. */
  readonly stopMs: number;
}

const minuteMs = 60_000;
export const mailTimeouts: MailTimeouts = {
  greetingMs: 5 * minuteMs,
  commandsMs: 10 * minuteMs,
  transferMs: 10 * minuteMs,
  confirmationMs: 10 * minuteMs,
  stopMs: 3000,
};

export interface MailSender {
  /** Hands an e-mail to the mail server. Throws `MailError`. */
  send(
    email: VoucherEmail & { readonly id: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<void>;
}

/** Creates a sender with a separate connection for each e-mail: there are few, and servers drop idle ones. */
export const makeMailSender = ({ smtpUrl, from }: MailConfig, timeouts: MailTimeouts): MailSender => ({
  send: async ({ id, to, subject, text, html, qrPicture }, signal) => {
    const message = new MailComposer({
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
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile();
    await deliver(smtpUrl, message.getEnvelope(), await message.build(), timeouts, signal);
  },
});

type Envelope = Parameters<SMTPConnection['send']>[0];

/** Speaks SMTP. After a failure the connection is closed: what was not sent by then is never sent. */
const deliver = (
  smtpUrl: string,
  envelope: Envelope,
  message: Buffer,
  timeouts: MailTimeouts,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { auth, ...options } = parseConnectionUrl(smtpUrl);
    const method = typeof options['authMethod'] === 'string' && options['authMethod'];
    const connection = new SMTPConnection({
      ...options,
      connectionTimeout: timeouts.greetingMs,
      greetingTimeout: timeouts.greetingMs,
      // Beyond all others: those of the steps count.
      socketTimeout: timeouts.confirmationMs + timeouts.transferMs,
    });
    let step: keyof MailTimeouts = 'greetingMs';
    let timer: NodeJS.Timeout | undefined;
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      connection.close();
      settle();
    };
    const isHandedOver = (): boolean => step === 'confirmationMs' || step === 'stopMs';
    const giveUp = (reason: string): void =>
      finish(() =>
        reject(
          isHandedOver()
            ? new MailError('the mail server has not confirmed the e-mail: it may have been sent', 'unknown')
            : new MailError(reason, 'temporary'),
        ),
      );
    const begin = (next: keyof MailTimeouts): void => {
      step = next;
      clearTimeout(timer);
      timer = setTimeout(() => giveUp('the mail server does not answer'), timeouts[next]);
    };
    // Nothing is lost before the message is handed over; after that, a moment is left for the confirmation.
    const abort = (): void => (isHandedOver() ? begin('stopMs') : giveUp('the service stops'));
    const fail = (error: unknown): void => finish(() => reject(toMailError(error)));
    const send = (): void =>
      connection.send(envelope, watch(message, begin), (error) => (error ? fail(error) : finish(resolve)));

    begin('greetingMs');
    connection.on('error', fail);
    const signIn = (): void => {
      begin('commandsMs');
      if (auth && connection.allowsAuth)
        connection.login({ ...auth, method }, (error) => (error ? fail(error) : send()));
      else send();
    };
    connection.connect((error) => (error ? fail(error) : signIn()));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });

/** A message that tells when the server asks for it, and when it has all of it: it is read only then. */
const watch = (message: Buffer, begin: (step: keyof MailTimeouts) => void): Readable => {
  const stream = new Readable({
    read: () => {
      begin('transferMs');
      stream.push(message);
      stream.push(null);
    },
  });
  return stream.once('end', () => begin('confirmationMs'));
};

/** A server that refuses for good answers 5xx. Wrong credentials are the operator's to correct, and then it goes on. */
const toMailError = (error: unknown): MailError => {
  const { code, responseCode, response } = error as {
    code?: string;
    responseCode?: number;
    response?: string;
  };
  const isPermanent = code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500;
  const answer =
    code === 'EAUTH' ? 'the mail server refuses the credentials' : (response ?? publicText(error));
  return new MailError(
    toStoredLine(publicText(answer), maxReasonLength),
    isPermanent ? 'permanent' : 'temporary',
  );
};

const maxReasonLength = 300;
