import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailConfig } from '../config/mailEnvironment.js';
import { resolveServer } from '../ssrf/serverAddress.js';
import { makeHideSmtpSecrets } from './smtpSecrets.js';
import { AddressRefused } from '../ssrf/ssrfGuard.js';
import { MailError } from './mailError.js';
import { isReached, silenceOf, toSmtpError, type SilenceCode } from './smtpFailure.js';
import type { VoucherEmail } from './voucherEmail.js';

/**
 * The steps of an attempt, and how long each may take. RFC 5321, 4.5.3.2,
 * defines how long a client has to wait.
 */
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
    email: Omit<VoucherEmail, 'pictures'> &
      Partial<Pick<VoucherEmail, 'pictures'>> & { readonly id: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Connects and signs in, and sends nothing. Throws `MailError`. */
  connect(signal: AbortSignal): Promise<void>;
}

/** Creates a sender with a separate connection for each e-mail: there are few, and servers drop idle ones. */
export const makeMailSender = (config: MailConfig, timeouts: MailTimeouts): MailSender => ({
  send: async ({ id, to, subject, text, html, pictures = [] }, signal) => {
    const message = new MailComposer({
      from: config.from,
      // As an object: nothing in it is parsed as a list of addresses.
      to: { name: '', address: to },
      // The same at every attempt: a server that has it already may notice.
      messageId: `<${id}@voucherd>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      subject,
      text,
      html,
      attachments: pictures.map(({ cid, fileName, mediaType, content }) => ({
        cid,
        filename: fileName,
        contentType: mediaType,
        content,
      })),
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile();
    const mail = { envelope: message.getEnvelope(), content: await message.build() };
    await deliver(config, mail, { timeouts, signal });
  },
  connect: (signal) => deliver(config, undefined, { timeouts, signal }),
});

interface Mail {
  readonly envelope: Parameters<SMTPConnection['send']>[0];
  readonly content: Buffer;
}

/**
 * Where the server is. One that was set up in the web UI is resolved here, so that its address is checked.
 */
const locate = async ({ smtpUrl, isGuarded }: MailConfig): Promise<ReturnType<typeof parseConnectionUrl>> => {
  const options = parseConnectionUrl(smtpUrl);
  if (!isGuarded) return options;
  const host = String(options.host);
  try {
    return { ...options, host: await resolveServer(host), ...(isIP(host) === 0 && { servername: host }) };
  } catch (error) {
    const code = error instanceof AddressRefused ? 'host-refused' : 'unknown-host';
    throw new MailError({ code, values: {} }, 'temporary', error);
  }
};

interface DeliverOptions {
  readonly timeouts: MailTimeouts;
  readonly signal: AbortSignal;
}

/**
 * Speaks SMTP, without an e-mail as far as the sign-in. After a failure the connection is closed:
 * what was not sent by then is never sent.
 */
const deliver = async (
  config: MailConfig,
  mail: Mail | undefined,
  { timeouts, signal }: DeliverOptions,
): Promise<void> => {
  const { auth, ...options } = await locate(config);
  const hideSecrets = makeHideSmtpSecrets(config.smtpUrl);
  await new Promise<void>((resolve, reject) => {
    const method = typeof options['authMethod'] === 'string' && options['authMethod'];
    const connection = new SMTPConnection({
      ...options,
      // Beyond all others: those of the steps count.
      connectionTimeout: 2 * timeouts.greetingMs,
      greetingTimeout: 2 * timeouts.greetingMs,
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
    const giveUp = (code: SilenceCode | 'stopping'): void =>
      finish(() =>
        reject(
          isHandedOver()
            ? new MailError({ code: 'not-confirmed', values: {} }, 'unknown')
            : new MailError({ code, values: {} }, 'temporary'),
        ),
      );
    const timeOut = (): void => giveUp(step === 'greetingMs' ? silenceOf(connection) : 'no-answer');
    const begin = (next: keyof MailTimeouts): void => {
      step = next;
      clearTimeout(timer);
      timer = setTimeout(timeOut, timeouts[next]);
    };
    // Nothing is lost before the message is handed over; after that, a moment is left for the confirmation.
    const abort = (): void => (isHandedOver() ? begin('stopMs') : giveUp('stopping'));
    const fail = (error: unknown): void => {
      const isTls = isReached(connection) && connection.secure;
      finish(() => reject(toSmtpError(error, { isTls, hideSecrets })));
    };
    const send = (): void => {
      if (!mail) finish(resolve);
      else
        connection.send(mail.envelope, watch(mail.content, begin), (error) =>
          error ? fail(error) : finish(resolve),
        );
    };

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
};

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
