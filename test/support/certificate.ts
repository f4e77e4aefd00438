import { makeCertificate, type Certificate } from '../../simulators/certificate.js';

let certificate: Promise<Certificate> | undefined;

/** The certificate of every console of this process whose certificate is not what is tested: making one takes long. */
export const sharedCertificate = (): Promise<Certificate> => (certificate ??= makeCertificate('unifi.local'));
