import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { CertificateFailure } from '../failure.js';

/** A chain is longer than this only when somebody wants to keep us busy. */
const maxChain = 10;
const maxNamesLength = 200;

/**
 * Why Node does not trust the certificate that this connection was answered with; undefined when it does. The
 * certificate is handed in, because Node gives it out once only.
 */
export const certificateFailureOf = (
  socket: TLSSocket,
  leaf: X509Certificate | undefined,
  host: string,
): CertificateFailure | undefined => {
  if (socket.authorized) return undefined;
  // Typed as an error, it is the error's code.
  const code = String(socket.authorizationError);
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return { reason: 'self-signed' };
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return { reason: 'unknown-ca' };
    // It may be any certificate of the chain that has expired: the first one to do so.
    case 'CERT_HAS_EXPIRED':
      return { reason: 'expired', validTo: chainOf(leaf, 'validTo').at(0) ?? '' };
    case 'CERT_NOT_YET_VALID':
      return { reason: 'not-yet-valid', validFrom: chainOf(leaf, 'validFrom').at(-1) ?? '' };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { reason: 'host-name', host, names: namesOf(leaf) };
    default:
      return { reason: 'other', code };
  }
};

/** Days of a certificate and of those that it was signed with, the earliest first. */
const chainOf = (leaf: X509Certificate | undefined, field: 'validFrom' | 'validTo'): string[] => {
  const days: string[] = [];
  for (let one = leaf; one && days.length < maxChain; one = one.issuerCertificate)
    days.push(dayOf(one[field]));
  return days.sort();
};

/** `2026-11-14`, of a date as certificates have it; what is none stays as it is. */
export const dayOf = (text: string): string => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString().slice(0, 10);
};

/** Whom a certificate is for: `DNS:unifi.local, IP Address:192.168.1.1`. */
const namesOf = (leaf: X509Certificate | undefined): string =>
  (leaf?.subjectAltName ?? leaf?.subject ?? '').replace(/[\p{C}\s]+/gu, ' ').slice(0, maxNamesLength);
