import { refuseSetting as refuse } from './configError.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A mail server that can be used. */
export interface MailConfig {
  /** With user and password, where the server asks for them. */
  readonly smtpUrl: string;
  /** The sender: an address, or a name with an address in angle brackets. */
  readonly from: string;
  /** Was it set up in the web UI? Then it may not lead to addresses that no mail server has. */
  readonly isGuarded?: true;
}

/** What the environment says of the mail server. The rest is set in the web UI. */
export interface MailEnvironment {
  readonly smtpUrl: string | undefined;
  readonly from: string | undefined;
}

const sender = /^(?:[^<>\p{C}]*<[^\s@<>,\p{C}]+@[^\s@<>,\p{C}]+>|[^\s@<>,\p{C}]+@[^\s@<>,\p{C}]+)$/u;

/** Is this a sender: wifi@example.org, or Hotel <wifi@example.org>? */
export const isSender = (text: string): boolean => sender.test(text);

export const readMail = (env: Environment): MailEnvironment => {
  const [smtpUrl, from] = [env['SMTP_URL'] || undefined, env['MAIL_FROM'] || undefined];
  const url = smtpUrl !== undefined && URL.canParse(smtpUrl) ? new URL(smtpUrl) : undefined;
  // It may hold a password, so it is not shown.
  if (smtpUrl !== undefined && (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === ''))
    return refuse('SMTP_URL', '…', 'smtp://host:587 or smtps://host:465, with user:password@ if needed');
  if (from !== undefined && !isSender(from))
    return refuse('MAIL_FROM', from, 'a sender: wifi@example.org or Hotel <wifi@example.org>');
  return { smtpUrl, from };
};
