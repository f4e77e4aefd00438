import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { describeCertificateFailure } from '../../controllers/failureTextsEnglish.js';
import { unreachableError } from '../../controllers/errors.js';
import type { CertificateFailure } from '../../controllers/failure.js';
import { parseFingerprint } from '../../controllers/https/settings.js';
import { findCertificateFailure, toIsoDay } from '../../controllers/https/trust.js';
import { checkControllerSettings } from '../../controllers/kinds.js';
import type { StoredController } from '../../storage/controllers.js';
import { formatCommandLine, toQuotedWord } from '../commandLine.js';
import { CommandError, sanitizeLine, type Io } from '../io.js';
import { controllerAddressOf, findController } from '../lookup.js';
import { withStorage, type OpenedStorage } from '../openStorage.js';
import { changeController } from '../sealing.js';
import { explainControllerError } from './advice.js';
import { withOptionNames } from './options.js';

/** The certificate that a controller presents. */
interface ControllerCertificate {
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
 * Fetches a controller's certificate. It is not verified, so nothing is sent and the connection is closed right after
 * the handshake. Throws `ControllerError` when there is no connection.
 */
const fetchCertificate = (
  name: string,
  address: string,
  deadlineMs: number,
): Promise<ControllerCertificate> =>
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
      reject(unreachableError(name, error));
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

/** RFC 3339 if the certificate's text can be parsed. */
const formatCertificateTime = (text: string): string => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? sanitizeLine(text) : new Date(ms).toISOString();
};

/** Node returns one name per line, or undefined for a certificate without names. */
const formatDistinguishedName = (names: string | undefined): string =>
  sanitizeLine((names ?? '').replaceAll('\n', ', '));

export interface PinControllerOptions {
  fingerprint?: string;
  yes?: boolean;
  json?: boolean;
}

/** Shows the certificate of a controller, or trusts it alone from now on. */
export const pinController = (io: Io, given: string, options: PinControllerOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { config, storage } = opened;
    const stored = await findController(storage, given);
    const address = controllerAddressOf(stored);
    if (address === undefined)
      throw new CommandError(`${stored.name} is of the kind ${stored.kind}, which shows no certificate`);
    const { fingerprint } = options;
    const wanted =
      fingerprint === undefined
        ? undefined
        : await withOptionNames(async () => parseFingerprint(fingerprint));
    const { failure, ...shown } = await fetchCertificate(
      stored.name,
      address,
      config.controllerDeadlineMs,
    ).catch((error: unknown) => {
      const explained = explainControllerError(error, stored.name);
      throw explained
        ? new CommandError(`${stored.name}, ${address}: ${explained.says}; ${explained.advice}`)
        : error;
    });
    if (wanted !== undefined && wanted !== shown.fingerprint)
      throw new CommandError(
        `not pinned: ${stored.name} shows a certificate with the fingerprint ${shown.fingerprint}, not ${wanted}`,
      );
    const pinned = wanted !== undefined || options.yes === true;
    if (pinned) await storePin(opened, stored, shown.fingerprint);
    warnAboutValidity(io, failure, pinned);
    if (options.json)
      io.out(
        `${JSON.stringify({ name: stored.name, ...shown, distrust: failure?.reason ?? null, pinned })}\n`,
      );
    else printCertificate(io, stored.name, { ...shown, failure }, pinned);
  });

/** Only the pinned certificate is trusted from now on, so a configured CA is removed. */
const storePin = async (
  opened: OpenedStorage,
  stored: StoredController,
  fingerprint: string,
): Promise<void> => {
  const { ca: _ca, ...others } = stored.settings;
  const settings = { ...others, fingerprint };
  checkControllerSettings({ kind: stored.kind, settings });
  await changeController(opened, stored, { settings });
};

/** A certificate outside its validity period can be pinned, but the user should know what that means. */
const warnAboutValidity = (io: Io, failure: CertificateFailure | undefined, pinned: boolean): void => {
  if (failure?.reason !== 'expired' && failure?.reason !== 'not-yet-valid') return;
  io.err(
    `warning: this certificate ${describeCertificateFailure(failure)}. ${pinned ? 'It is pinned' : 'If you pin it, it is trusted'} all the same: only its fingerprint counts then, not its dates, its name or its issuer. Better renew it on the controller (or set the clock that is wrong), and pin the new one\n`,
  );
};

const printCertificate = (io: Io, name: string, shown: ControllerCertificate, pinned: boolean): void => {
  io.out(`subject      ${shown.subject || '(none)'}\n`);
  io.out(`issuer       ${shown.issuer || '(none)'}\n`);
  io.out(`valid        from ${toIsoDay(shown.validFrom)} to ${toIsoDay(shown.validTo)}\n`);
  const { failure } = shown;
  const distrust = failure && `does not trust it: it ${sanitizeLine(describeCertificateFailure(failure))}`;
  io.out(`system       ${distrust ?? 'trusts it'}\n`);
  io.out(`fingerprint  ${shown.fingerprint}\n`);
  const next = pinned
    ? `pinned: ${sanitizeLine(name)} is trusted with this certificate only; try it: ${formatCommandLine(`controller test ${toQuotedWord(name)}`)}`
    : `nothing is changed; if the controller itself shows the same fingerprint: ${formatCommandLine(`controller pin ${toQuotedWord(name)} --fingerprint ${shown.fingerprint}`)}`;
  io.err(`${next}\n`);
};

interface IdentifyConsoleOptions {
  /** Name and settings of the controller to be stored. */
  readonly name: string;
  readonly settings: StoredController['settings'];
  /** The other controllers. */
  readonly others: readonly StoredController[];
  /** Accept a console that is stored already. */
  readonly force: boolean;
  readonly deadlineMs: number;
}

/** Identifying is optional, so it does not wait for the whole deadline of a controller. */
const maxIdentifyMs = 3000;

/**
 * Identifies the console behind an address, and refuses one that another controller uses already: it has the same
 * address or the same certificate. Returns what identifies it; null when it does not answer.
 */
export const identifyConsole = async (options: IdentifyConsoleOptions): Promise<string | null> => {
  const { name, settings, others, force, deadlineMs } = options;
  const address = controllerAddressOf({ settings });
  if (address === undefined) return null;
  const identity =
    cloudConsoleOf(address) ??
    (await fetchCertificate(name, address, Math.min(deadlineMs, maxIdentifyMs)).then(
      ({ fingerprint }) => fingerprint,
      () => null,
    ));
  const known = [identity, settings['fingerprint']];
  for (const other of others) {
    const same = isSameAddress(address, controllerAddressOf(other))
      ? 'address'
      : [other.identity, other.settings['fingerprint']].some(
            (value) => value != null && known.includes(value),
          )
        ? 'certificate'
        : undefined;
    if (same === undefined || force) continue;
    throw new CommandError(
      `it is the console of ${toQuotedWord(other.name)}, by its ${same}: one console is one controller, which may have many sites. If it is another console all the same: --force`,
    );
  }
  return identity;
};

/** In the cloud all consoles have the same certificate; the address names the console. */
const cloudConsoleOf = (address: string): string | undefined =>
  /\/v1\/connector\/consoles\/([^/]+)/.exec(new URL(address).pathname)?.[1];

const isSameAddress = (address: string, other: string | undefined): boolean =>
  other !== undefined && normalizeAddress(address) === normalizeAddress(other);

const normalizeAddress = (address: string): string => new URL(address).href.replace(/(?<!\/)\/+$/, '');
