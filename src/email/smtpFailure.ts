import { Socket } from 'node:net';
import { types } from 'node:util';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { EmailReason } from '../i18n/storedReasons.js';
import { toStoredLine } from '../lib/label.js';
import { publicText } from '../lib/publicText.js';
import { MailError } from './mailError.js';

/** What the library tells of an error. */
interface SmtpFailure extends Partial<Error> {
  readonly code?: string;
  /** Before the library put its own in place. */
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

interface SmtpContext {
  /** Whether the server was reached, and TLS is spoken or begun with it. */
  readonly isTls: boolean;
  /** In what the server answers. */
  hideSecrets(text: string): string;
}

/**
 * A server that refuses for good answers 5xx. Wrong credentials,
 * and encryption that the server does not have, are the operator's to correct, and then it goes on.
 */
export const toSmtpError = (error: unknown, context: SmtpContext): MailError => {
  const failure: SmtpFailure = types.isNativeError(error) ? error : {};
  const { code = '', responseCode } = failure;
  const isPermanent = !['EAUTH', 'ETLS'].includes(code) && responseCode !== undefined && responseCode >= 500;
  return new MailError(toEmailReason(failure, context), isPermanent ? 'permanent' : 'temporary', error);
};

const toEmailReason = (
  { code = '', originalCode = code, responseCode = 0, response }: SmtpFailure,
  { isTls, hideSecrets }: SmtpContext,
): EmailReason => {
  if (code === 'EAUTH') return { code: 'credentials', values: {} };
  // RFC 3207: 454 is for a moment. Whatever else it answers to STARTTLS, it does not have it.
  if (code === 'ETLS' && responseCode >= 500) return { code: 'no-starttls', values: {} };
  if (response !== undefined)
    return {
      code: 'answered',
      values: { answer: toStoredLine(publicText(hideSecrets(response)), maxAnswerLength) },
    };
  switch (code) {
    case 'EDNS':
      return { code: 'unknown-host', values: {} };
    case 'ETIMEDOUT':
      return { code: 'no-answer', values: {} };
    case 'ECONNECTION':
      return { code: 'disconnected', values: {} };
    case 'ESOCKET':
      return toTlsReason(originalCode, isTls) ?? { code: 'no-connection', values: { code: originalCode } };
    case 'ETLS':
      return toTlsReason(originalCode, true) ?? { code: 'tls', values: { code: originalCode } };
    default:
      return { code: 'other', values: { code: originalCode } };
  }
};

const maxAnswerLength = 300;

/** The codes of OpenSSL for an issuer that is not known. */
const untrusted = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
];

/** What is wrong with the encryption; undefined when something else is. */
const toTlsReason = (code: string, isTls: boolean): EmailReason | undefined => {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return { code: 'certificate-name', values: {} };
  if (code === 'CERT_HAS_EXPIRED') return { code: 'certificate-expired', values: {} };
  if (code === 'CERT_NOT_YET_VALID') return { code: 'certificate-early', values: {} };
  if (untrusted.includes(code)) return { code: 'certificate-untrusted', values: {} };
  const isHandshake = code.startsWith('ERR_SSL_') || code === 'EPROTO' || (isTls && code === 'ECONNRESET');
  return isHandshake ? { code: 'tls-failed', values: { code } } : undefined;
};

/** What a server did not do, if it was reached. */
export type SilenceCode = 'no-answer' | 'tls-silent' | 'no-greeting';

/** Whether the machine has accepted the connection. */
export const isReached = ({ _socket: socket }: SMTPConnection): boolean =>
  socket instanceof Socket && !socket.connecting;

/**
 * What a server that did not greet in time has left out: an
 * answer, its part of the encryption, or the greeting.
 */
export const silenceOf = (connection: SMTPConnection): SilenceCode => {
  if (!isReached(connection)) return 'no-answer';
  const isUpgrading = 'upgrading' in connection && connection.upgrading === true;
  if (isUpgrading || (connection.secureConnection && connection.stage === 'init')) return 'tls-silent';
  return connection.lastServerResponse === false ? 'no-greeting' : 'no-answer';
};
