import { systemEffects } from '../effects.js';
import { newSecret } from '../notifications/formats/generic.js';
import { openWebhook, rotate, sealSigning, signs } from '../notifications/webhooks.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { CommandError, timestamp, wholeNumber, type Io } from './io.js';
import { writeSealed } from './sealing.js';
import { webhookNamed } from './webhookNamed.js';
import { withStorage } from './withStorage.js';

export interface RotateOptions {
  overlapHours: string;
  json?: boolean;
}

const hour = 3_600_000;

export const rotateSigningSecret = (io: Io, given: string, options: RotateOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { config, storage, clock } = opened;
    const overlapMs = wholeNumber('--overlap-hours', options.overlapHours, 0, 8760) * hour;
    const webhook = openWebhook(await webhookNamed(storage, given), openStoredSecrets(config));
    const { id, name, format } = webhook;
    if (!signs(format)) throw new CommandError(`${name} has the format ${format}, which does not sign`);
    const secret = newSecret(systemEffects);
    const now = clock.now();
    const { secrets: signing } = rotate(webhook, secret, now, overlapMs);
    await writeSealed(opened, (secrets) =>
      storage.webhooks.setSecrets(id, sealSigning(id, signing, secrets)),
    );
    const oldUntil = timestamp(now + overlapMs);
    io.out(options.json ? `${JSON.stringify({ id, name, secret, oldUntil })}\n` : `${secret}\n`);
  });
