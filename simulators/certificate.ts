import { X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** SHA-256 in the notation of consoles and browsers, `AB:CD:…`. */
  readonly fingerprint: string;
}

/** How a certificate differs from the usual one. */
export interface CertificateOptions {
  readonly notBeforeDate?: Date;
  readonly notAfterDate?: Date;
  /** The issuer; without it the certificate is self-signed. */
  readonly ca?: { readonly cert: string; readonly key: string };
}

/** A self-signed certificate, as controllers ship with, for this machine's names. */
export const makeCertificate = async (
  commonName: string,
  options: CertificateOptions = {},
): Promise<Certificate> => {
  const made = await generate([{ name: 'commonName', value: commonName }], {
    ...options,
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return {
    cert: made.cert,
    key: made.private,
    fingerprint: new X509Certificate(made.cert).fingerprint256,
  };
};
