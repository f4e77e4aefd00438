import { dayOf } from '../controllers/connection/certificate.js';
import { parseFingerprint } from '../controllers/connection/settings.js';
import { certificateText } from '../controllers/english.js';
import type { CertificateFailure } from '../controllers/failure.js';
import { checkController } from '../controllers/registry.js';
import type { StoredController } from '../storage/controllers.js';
import { explain } from './controllerAdvice.js';
import { commandLine } from './commandLine.js';
import { seeCertificate, type ShownCertificate } from './controllerCertificate.js';
import { addressOf, controllerNamed } from './controllerNamed.js';
import { namingOptions } from './controllerOptions.js';
import { CommandError, plain, type Io } from './io.js';
import { changeController } from './sealing.js';
import { quoted } from './shellWord.js';
import { withStorage, type Opened } from './withStorage.js';

export interface PinOptions {
  fingerprint?: string;
  yes?: boolean;
  json?: boolean;
}

export const pinController = (io: Io, given: string, options: PinOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { config, storage } = opened;
    const stored = await controllerNamed(storage, given);
    const address = addressOf(stored);
    if (address === undefined)
      throw new CommandError(`${stored.name} is of the kind ${stored.kind}, which shows no certificate`);
    const { fingerprint } = options;
    const wanted =
      fingerprint === undefined ? undefined : await namingOptions(async () => parseFingerprint(fingerprint));
    const { failure, ...shown } = await seeCertificate(
      stored.name,
      address,
      config.controllerDeadlineMs,
    ).catch((error: unknown) => {
      const explained = explain(error, stored.name);
      throw explained
        ? new CommandError(`${stored.name}, ${address}: ${explained.says}; ${explained.advice}`)
        : error;
    });
    if (wanted !== undefined && wanted !== shown.fingerprint)
      throw new CommandError(
        `not pinned: ${stored.name} shows a certificate with the fingerprint ${shown.fingerprint}, not ${wanted}`,
      );
    const pinned = wanted !== undefined || options.yes === true;
    if (pinned) await pin(opened, stored, shown.fingerprint);
    warn(io, failure, pinned);
    if (options.json)
      io.out(
        `${JSON.stringify({ name: stored.name, ...shown, distrust: failure?.reason ?? null, pinned })}\n`,
      );
    else report(io, stored.name, { ...shown, failure }, pinned);
  });

/** The pinned certificate is the only one that counts, so a CA of its own has nothing more to say. */
const pin = async (opened: Opened, stored: StoredController, fingerprint: string): Promise<void> => {
  const { ca: _ca, ...others } = stored.settings;
  const settings = { ...others, fingerprint };
  checkController({ kind: stored.kind, settings });
  await changeController(opened, stored, { settings });
};

/** A certificate outside of its time can be pinned like any other; whoever does should know what that means. */
const warn = (io: Io, failure: CertificateFailure | undefined, pinned: boolean): void => {
  if (failure?.reason !== 'expired' && failure?.reason !== 'not-yet-valid') return;
  io.err(
    `warning: this certificate ${certificateText(failure)}. ${pinned ? 'It is pinned' : 'If you pin it, it is trusted'} all the same: only its fingerprint counts then, not its dates, its name or its issuer. Better renew it on the controller (or set the clock that is wrong), and pin the new one\n`,
  );
};

const report = (io: Io, name: string, shown: ShownCertificate, pinned: boolean): void => {
  io.out(`subject      ${shown.subject || '(none)'}\n`);
  io.out(`issuer       ${shown.issuer || '(none)'}\n`);
  io.out(`valid        from ${dayOf(shown.validFrom)} to ${dayOf(shown.validTo)}\n`);
  const { failure } = shown;
  const distrust = failure && `does not trust it: it ${plain(certificateText(failure))}`;
  io.out(`system       ${distrust ?? 'trusts it'}\n`);
  io.out(`fingerprint  ${shown.fingerprint}\n`);
  const next = pinned
    ? `pinned: ${plain(name)} is trusted with this certificate only; try it: ${commandLine(`controller test ${quoted(name)}`)}`
    : `nothing is changed; if the controller itself shows the same fingerprint: ${commandLine(`controller pin ${quoted(name)} --fingerprint ${shown.fingerprint}`)}`;
  io.err(`${next}\n`);
};
