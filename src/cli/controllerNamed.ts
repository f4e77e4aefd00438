import type { StoredController } from '../storage/controllers.js';
import type { StoredSite } from '../storage/sites.js';
import type { Storage } from '../storage/storage.js';
import { commandLine } from './commandLine.js';
import { CommandError, plain } from './io.js';

/** The controller that a person named. */
export const controllerNamed = async (storage: Storage, name: string): Promise<StoredController> => {
  const stored = (await storage.controllers.all()).find((known) => known.name === name.trim());
  if (stored) return stored;
  throw new CommandError(`there is no controller named "${name}": see ${commandLine('controller list')}`);
};

/** Where a controller is; one without hardware is nowhere. */
export const addressOf = ({ settings }: Pick<StoredController, 'settings'>): string | undefined =>
  typeof settings['url'] === 'string' ? settings['url'] : undefined;

/** Whose certificates a controller's connections trust. */
export const trustOf = ({ settings }: Pick<StoredController, 'settings'>): 'system' | 'pinned' | 'own CA' =>
  settings['fingerprint'] !== undefined ? 'pinned' : settings['ca'] !== undefined ? 'own CA' : 'system';

/** A site in a list of several. */
export const shortSite = ({ id, name, active }: Pick<StoredSite, 'id' | 'name' | 'active'>): string =>
  `${String(id)} ${plain(name)}${active ? '' : ' (inactive)'}`;
