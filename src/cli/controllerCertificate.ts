import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { certificateFailureOf } from '../controllers/connection/certificate.js';
import { unreachable } from '../controllers/connection/errors.js';
import type { CertificateFailure } from '../controllers/failure.js';
import { plain } from './io.js';

/** The certificate that a controller shows to whoever connects. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256: `AB:CD:…`. */
  readonly fingerprint: string;
  /** Why the system does not trust it; undefined when it does. */
  readonly failure: CertificateFailure | undefined;
}

/**
 * Looks at a controller's certificate. It may be any, so nothing is sent over the connection, which is closed as
 * soon as the certificate has been seen. Throws `ControllerError` when there is no connection.
 */
export const seeCertificate = (
  name: string,
  address: string,
  deadlineMs: number,
): Promise<ShownCertificate> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    // An IPv6 address stands in brackets in a URL.
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    });
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(unreachable(name, error));
    };
    const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), deadlineMs);
    socket.on('error', fail);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      if (!certificate) {
        fail({ code: 'EPROTO' });
        return;
      }
      clearTimeout(timer);
      resolve(describe(certificate, certificateFailureOf(socket, certificate, host)));
      // The controller's own log shows no handshake that broke off.
      socket.end(() => socket.destroy());
    });
  });

const describe = (
  certificate: X509Certificate,
  failure: CertificateFailure | undefined,
): ShownCertificate => ({
  subject: oneLine(certificate.subject),
  issuer: oneLine(certificate.issuer),
  validFrom: timeOf(certificate.validFrom),
  validTo: timeOf(certificate.validTo),
  fingerprint: certificate.fingerprint256,
  failure,
});

/** RFC 3339, where the certificate's own text is a time. */
const timeOf = (text: string): string => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? plain(text) : new Date(ms).toISOString();
};

/** One name per line, as Node has it; a certificate may hold no names at all. */
const oneLine = (names: string | undefined): string => plain((names ?? '').replaceAll('\n', ', '));
