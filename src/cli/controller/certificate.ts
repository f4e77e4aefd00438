import { describeCertificateFailure } from '../../controllers/failureMessages.js';
import type { CertificateFailure } from '../../controllers/failure.js';
import { fetchCertificate, type ControllerCertificate } from '../../controllers/https/certificate.js';
import { controllerAddressOf, parseFingerprint } from '../../controllers/https/settings.js';
import { toIsoDay } from '../../controllers/https/trust.js';
import type { StoredController } from '../../controllers/controllerTable.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { CommandError, type Io } from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { findController } from '../lookup.js';
import { commandLineActor, withTables, type OpenedTables } from '../openTables.js';
import { explainRefusals, openControllerAdministration } from './administration.js';
import { explainControllerError } from './remedies.js';
import { withOptionNames } from './options.js';

export interface PinControllerOptions {
  fingerprint?: string;
  yes?: boolean;
  json?: boolean;
}

/** Shows the certificate of a controller, or trusts it alone from now on. */
export const pinController = (io: Io, given: string, options: PinControllerOptions): Promise<void> =>
  withTables(io, async (opened) => {
    const { config, tables } = opened;
    const stored = await findController(tables, given);
    const address = controllerAddressOf(stored);
    if (address === undefined)
      throw new CommandError(
        'not-applicable',
        `${stored.name} is of the kind ${stored.kind}, which shows no certificate`,
      );
    const { fingerprint } = options;
    const wanted =
      fingerprint === undefined
        ? undefined
        : await withOptionNames(async () => parseFingerprint(fingerprint));
    const { failure, ...shown } = await fetchCertificate({
      name: stored.name,
      address,
      deadlineMs: config.controllerDeadlineMs,
    }).catch((error: unknown) => {
      const explained = explainControllerError(error, stored.name);
      throw explained
        ? new CommandError(
            'controller-failed',
            `${stored.name}, ${address}: ${explained.message}; ${explained.remedy}`,
          )
        : error;
    });
    if (wanted !== undefined && wanted !== shown.fingerprint)
      throw new CommandError(
        'certificate-different',
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
const storePin = (opened: OpenedTables, { id, name }: StoredController, fingerprint: string): Promise<void> =>
  explainRefusals(
    { name, nameOption: 'name' },
    openControllerAdministration(opened).change(
      id,
      { settings: { address: { fingerprint } }, force: true },
      commandLineActor,
    ),
  );

/** A certificate outside its validity period can be pinned, but the user should know what that means. */
const warnAboutValidity = (io: Io, failure: CertificateFailure | undefined, pinned: boolean): void => {
  if (failure?.reason !== 'expired' && failure?.reason !== 'not-yet-valid') return;
  io.err(
    `warning: this certificate ${describeCertificateFailure(failure)}. ${pinned ? 'It is pinned' : 'If you pin it, it is trusted'} anyway: only its fingerprint counts then, not its dates, its name or its issuer. Better renew it on the controller (or set the clock that is wrong), and pin the new one\n`,
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
