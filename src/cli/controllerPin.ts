import { parseFingerprint } from '../controllers/connection/settings.js';
import { checkController } from '../controllers/registry.js';
import type { StoredController } from '../storage/controllers.js';
import type { Storage } from '../storage/storage.js';
import { seeCertificate, type ShownCertificate } from './controllerCertificate.js';
import { addressOf, controllerNamed } from './controllerNamed.js';
import { namingOptions } from './controllerOptions.js';
import { CommandError, type Io } from './io.js';
import { quoted } from './shellWord.js';
import { withStorage } from './withStorage.js';

export interface PinOptions {
  fingerprint?: string;
  yes?: boolean;
  json?: boolean;
}

export const pinController = (io: Io, given: string, options: PinOptions): Promise<void> =>
  withStorage(io, async ({ config, storage }) => {
    const stored = await controllerNamed(storage, given);
    const address = addressOf(stored);
    if (address === undefined)
      throw new CommandError(`${stored.name} is of the kind ${stored.kind}, which shows no certificate`);
    const { fingerprint } = options;
    const wanted =
      fingerprint === undefined ? undefined : await namingOptions(async () => parseFingerprint(fingerprint));
    const shown = await seeCertificate(address, config.controllerDeadlineMs);
    if (wanted !== undefined && wanted !== shown.fingerprint)
      throw new CommandError(
        `not pinned: ${stored.name} shows a certificate with the fingerprint ${shown.fingerprint}, not ${wanted}`,
      );
    const pinned = wanted !== undefined || options.yes === true;
    if (pinned) await pin(storage, stored, shown.fingerprint);
    if (options.json) io.out(`${JSON.stringify({ name: stored.name, ...shown, pinned })}\n`);
    else report(io, stored.name, shown, pinned);
  });

/** The pinned certificate is the only one that counts, so a CA of its own has nothing more to say. */
const pin = async (storage: Storage, stored: StoredController, fingerprint: string): Promise<void> => {
  const { ca: _ca, ...others } = stored.settings;
  const settings = { ...others, fingerprint };
  checkController({ kind: stored.kind, settings });
  await storage.controllers.change(stored.id, { settings });
};

const report = (io: Io, name: string, shown: ShownCertificate, pinned: boolean): void => {
  io.out(`subject      ${shown.subject || '(none)'}\n`);
  io.out(`issuer       ${shown.issuer || '(none)'}\n`);
  io.out(`valid        from ${shown.validFrom} to ${shown.validTo}\n`);
  io.out(`system       ${shown.distrust === null ? 'trusts it' : `does not trust it (${shown.distrust})`}\n`);
  io.out(`fingerprint  ${shown.fingerprint}\n`);
  const next = pinned
    ? `pinned: ${name} is trusted with this certificate only; try it: voucherd controller test ${quoted(name)}`
    : `nothing is changed; if the controller itself shows the same fingerprint: voucherd controller pin ${quoted(name)} --fingerprint ${shown.fingerprint}`;
  io.err(`${next}\n`);
};
