import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { types } from 'node:util';
import { CommandError, plain } from './io.js';

/** The certificate that a controller shows to whoever connects. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256: `AB:CD:…`. */
  readonly fingerprint: string;
  /** Why the system does not trust it; null when it does. */
  readonly distrust: string | null;
}

/**
 * Looks at a controller's certificate. It may be any, so nothing is sent over the connection, which is closed as
 * soon as the certificate has been seen.
 */
export const seeCertificate = (address: string, deadlineMs: number): Promise<ShownCertificate> =>
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
    const fail = (reason: string): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(
        new CommandError(
          `no connection to ${address} (${reason}): check address and port, that it runs, and the firewall on the way`,
        ),
      );
    };
    const timer = setTimeout(() => fail('no answer in time'), deadlineMs);
    socket.on('error', (error) => fail(codeOf(error)));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      if (!certificate) {
        fail('it shows no certificate');
        return;
      }
      clearTimeout(timer);
      // Typed as an error, it is the error's code.
      const reason: unknown = socket.authorizationError;
      resolve(describe(certificate, socket.authorized ? null : String(reason)));
      // The controller's own log shows no handshake that broke off.
      socket.end(() => socket.destroy());
    });
  });

const describe = (certificate: X509Certificate, distrust: string | null): ShownCertificate => ({
  subject: oneLine(certificate.subject),
  issuer: oneLine(certificate.issuer),
  validFrom: day(certificate.validFrom),
  validTo: day(certificate.validTo),
  fingerprint: certificate.fingerprint256,
  distrust,
});

/** One name per line, as Node has it; a certificate may hold no names at all. */
const oneLine = (names: string | undefined): string => plain((names ?? '').replaceAll('\n', ', '));

const day = (text: string): string => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? plain(text) : new Date(time).toISOString().slice(0, 10);
};

const codeOf = (error: unknown): string =>
  types.isNativeError(error) && 'code' in error ? String(error.code) : 'unknown';
