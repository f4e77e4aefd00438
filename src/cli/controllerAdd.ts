import { controllerKinds, credentialsOf } from '../controllers/registry.js';
import { systemEffects } from '../effects.js';
import { commandLine } from './commandLine.js';
import { readCredentials } from './controllerCredentials.js';
import { addressOf } from './controllerNamed.js';
import { readSettings, refuseOthers, type Given } from './controllerOptions.js';
import { CommandError, label, type Io } from './io.js';
import { writeSealed } from './sealing.js';
import { quoted } from './shellWord.js';
import { withStorage } from './withStorage.js';

export interface AddOptions extends Given {
  readonly name: string;
  readonly kind: string;
  readonly json?: boolean;
}

export const addController = (io: Io, options: AddOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { storage } = opened;
    const name = label('--name', options.name);
    const { kind, json } = options;
    if (!controllerKinds.includes(kind))
      throw new CommandError(`--kind: "${kind}" is not allowed: one of ${controllerKinds.join(', ')}`);
    refuseOthers(kind, options);
    const settings = await readSettings(kind, options);
    const others = await storage.controllers.all();
    if (others.some((known) => known.name === name))
      throw new CommandError(`--name: there is already a controller named "${name}"`);
    const credentials = await readCredentials(io, kind, options);
    const add = (sealedCredentials: string | null): Promise<number> =>
      storage.controllers.add({ name, kind, settings, sealedCredentials }, systemEffects.now());
    const id =
      Object.keys(credentialsOf(kind)).length === 0
        ? await add(null)
        : await writeSealed(opened, (secrets) => add(secrets.seal(JSON.stringify(credentials))));
    const twin = others.find(
      (known) => addressOf(known) !== undefined && addressOf(known) === settings['url'],
    );
    if (twin)
      io.err(
        `warning: ${quoted(twin.name)} has the same address: use one controller for one console, or the same voucher may be given to two orders\n`,
      );
    if (json) io.out(`${JSON.stringify({ id, name, kind })}\n`);
    else {
      io.out(`${name}\n`);
      io.err(`try it, and see its sites: ${commandLine(`controller test ${quoted(name)}`)}\n`);
    }
  });
