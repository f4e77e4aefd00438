import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, createSecureContext } from 'node:tls';
import { toStoredLine } from '../../lib/label.js';
import { unreachableError } from '../errors.js';
import type { CertificateFailure } from '../failure.js';
import { endpointOf } from './settings.js';
import { findCertificateFailure } from './trust.js';

/** The certificate that a controller presents. */
export interface ControllerCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** RFC 3339. */
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256: `AB:CD:…`. */
  readonly fingerprint: string;
  /** Why it is not trusted, by its own CA or by the system; undefined when it is. */
  readonly failure: CertificateFailure | undefined;
}

interface FetchCertificateOptions {
  /** The controller's name, for messages. */
  readonly name: string;
  readonly address: string;
  /** Certificates in PEM that are trusted instead of the system's. */
  readonly ca?: string | undefined;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches a controller's certificate. It is not verified, so nothing is sent and the connection is closed
 * right after the handshake. Throws `ControllerError` when there is no connection.
 */
export const fetchCertificate = (options: FetchCertificateOptions): Promise<ControllerCertificate> =>
  new Promise((resolve, reject) => {
    const { name, address, ca, deadlineMs, signal } = options;
    const { host, port } = endpointOf(address);
    const socket = connect({
      host,
      port,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { secureContext: createSecureContext({ ca }) }),
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    });
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
    };
    const fail = (error: unknown): void => {
      settle();
      socket.destroy();
      reject(unreachableError(name, error));
    };
    const aborted = (): void => fail({ code: 'ECONNABORTED' });
    const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), deadlineMs);
    signal?.addEventListener('abort', aborted, { once: true });
    socket.on('error', fail);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      if (!certificate) {
        fail({ code: 'EPROTO' });
        return;
      }
      settle();
      resolve(describeCertificate(certificate, findCertificateFailure(socket, certificate, host)));
      // A clean end, so that the controller does not log a broken handshake.
      socket.end(() => socket.destroy());
    });
  });

const describeCertificate = (
  certificate: X509Certificate,
  failure: CertificateFailure | undefined,
): ControllerCertificate => ({
  subject: formatDistinguishedName(certificate.subject),
  issuer: formatDistinguishedName(certificate.issuer),
  validFrom: formatCertificateTime(certificate.validFrom),
  validTo: formatCertificateTime(certificate.validTo),
  fingerprint: certificate.fingerprint256,
  failure,
});

/** Certificates are untrusted text. */
const maxNameLength = 1000;

const toLine = (text: string): string => toStoredLine(text, maxNameLength);

/** RFC 3339 if the certificate's text can be parsed. */
const formatCertificateTime = (text: string): string => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? toLine(text) : new Date(ms).toISOString();
};

/** Node returns one name per line, or undefined for a certificate without names. */
const formatDistinguishedName = (names: string | undefined): string =>
  toLine((names ?? '').replaceAll('\n', ', '));
