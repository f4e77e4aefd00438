import { controllerKinds, credentialsOf } from '../controllers/registry.js';
import { systemEffects } from '../effects.js';
import { sealCredentials, type Sealed } from '../sealedBinding.js';
import { commandLine } from './commandLine.js';
import { readCredentials } from './controllerCredentials.js';
import { readSettings, refuseOthers, type Given } from './controllerOptions.js';
import { identifyConsole } from './controllerTwin.js';
import { CommandError, label, type Io } from './io.js';
import { writeSealed } from './sealing.js';
import { quoted } from './shellWord.js';
import { withStorage } from './withStorage.js';

export interface AddOptions extends Given {
  readonly name: string;
  readonly kind: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export const addController = (io: Io, options: AddOptions): Promise<void> =>
  withStorage(io, async (opened) => {
    const { config, storage } = opened;
    const name = label('--name', options.name);
    const { kind, json } = options;
    if (!controllerKinds.includes(kind))
      throw new CommandError(`--kind: "${kind}" is not allowed: one of ${controllerKinds.join(', ')}`);
    refuseOthers(kind, options);
    const settings = await readSettings(kind, options);
    const others = await storage.controllers.all();
    if (others.some((known) => known.name === name))
      throw new CommandError(`--name: there is already a controller named "${name}"`);
    const identity = await identifyConsole({
      name,
      settings,
      others,
      force: options.force === true,
      deadlineMs: config.controllerDeadlineMs,
    });
    const credentials = await readCredentials(io, kind, options);
    const add = (sealedCredentials: Sealed | null): Promise<number> =>
      storage.controllers.add({ name, kind, settings, sealedCredentials, identity }, systemEffects.now());
    const id =
      Object.keys(credentialsOf(kind)).length === 0
        ? await add(null)
        : await writeSealed(opened, (secrets) =>
            add(sealCredentials(secrets, { kind, settings }, credentials)),
          );
    if (json) io.out(`${JSON.stringify({ id, name, kind })}\n`);
    else {
      io.out(`${name}\n`);
      io.err(`try it, and see its sites: ${commandLine(`controller test ${quoted(name)}`)}\n`);
    }
  });
