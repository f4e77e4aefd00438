import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
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
  /** The names and addresses that it is for. Default: those of this machine. */
  readonly names?: readonly string[];
}

/** A self-signed certificate, as controllers ship with. */
export const makeCertificate = async (
  commonName: string,
  { names = ['localhost', '127.0.0.1', '::1'], ...options }: CertificateOptions = {},
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
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
      },
    ],
  });
  return {
    cert: made.cert,
    key: made.private,
    fingerprint: new X509Certificate(made.cert).fingerprint256,
  };
};
