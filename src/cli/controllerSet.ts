import type { StoredController } from '../storage/controllers.js';
import type { Storage } from '../storage/storage.js';
import { commandLine } from './commandLine.js';
import { controllerNamed } from './controllerNamed.js';
import { given, readSettings, refuseOthers, settingOptionsOf, type Given } from './controllerOptions.js';
import { identifyConsole } from './controllerTwin.js';
import { CommandError, label, plain, type Io } from './io.js';
import { changeController } from './sealing.js';
import { quoted } from './shellWord.js';
import { withStorage } from './withStorage.js';

const nameOption = 'new-name';

export const setController = (io: Io, controllerName: string, options: Given): Promise<void> =>
  withStorage(io, async (opened) => {
    const { config, storage } = opened;
    const stored = await controllerNamed(storage, controllerName);
    const { id, kind } = stored;
    refuseOthers(kind, options);
    const possible = [...settingOptionsOf(kind), nameOption];
    if (possible.every((option) => given(options, option) === undefined))
      throw new CommandError(
        `nothing to change: give one or more of ${possible.map((option) => `--${option}`).join(', ')}`,
      );
    const name = await newNameOf(storage, stored, options);
    const settings = await readSettings(kind, options, stored.settings);
    const isMoved = given(options, 'url') !== undefined || given(options, 'fingerprint') !== undefined;
    const identity = isMoved
      ? await identifyConsole({
          name,
          settings,
          others: (await storage.controllers.all()).filter((other) => other.id !== id),
          force: options['force'] === true,
          deadlineMs: config.controllerDeadlineMs,
        })
      : stored.identity;
    // One that does not answer is taken for the same console as before.
    await changeController(opened, stored, { name, settings, identity: identity ?? stored.identity });
    if (options['json'] === true) io.out(`${JSON.stringify({ id, name, kind })}\n`);
    else {
      io.out(`${plain(name)}\n`);
      io.err(`changed, its sites stay; try it: ${commandLine(`controller test ${quoted(name)}`)}\n`);
    }
  });

const newNameOf = async (storage: Storage, stored: StoredController, options: Given): Promise<string> => {
  const wanted = given(options, nameOption);
  if (wanted === undefined) return stored.name;
  const name = label(`--${nameOption}`, wanted);
  if ((await storage.controllers.all()).some((known) => known.name === name && known.id !== stored.id))
    throw new CommandError(`--${nameOption}: there is already a controller named "${name}"`);
  return name;
};
