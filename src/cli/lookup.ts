import type { StoredController } from '../controllers/controllerTable.js';
import type { StoredSite } from '../sites/siteTable.js';
import type { Tables } from '../app/tables.js';
import type { StoredWebhook } from '../webhooks/webhookTable.js';
import { formatCommandLine } from '../lib/commandLine.js';
import { CommandError, parseWholeNumber } from './io.js';
import { sanitizeLine } from '../lib/label.js';

/** What is named does not exist; a command lists what does. */
export const notFound = (
  code: ConstructorParameters<typeof CommandError>[0],
  message: string,
  list: string,
): CommandError => new CommandError(code, message, [], `see ${formatCommandLine(list)}`);

/** Finds a controller by its name. Throws `CommandError` when it does not exist. */
export const findController = async (tables: Tables, name: string): Promise<StoredController> => {
  const stored = (await tables.controllers.all()).find((known) => known.name === name.trim());
  if (stored) return stored;
  throw notFound('unknown-controller', `there is no controller named "${name}"`, 'controller list');
};

/** A site as an item of a list. */
export const formatSite = ({ id, name, active }: Pick<StoredSite, 'id' | 'name' | 'active'>): string =>
  `${String(id)} ${sanitizeLine(name)}${active ? '' : ' (inactive)'}`;

/** Parses the id of a site. `option` is its name in the error message. */
export const parseSiteId = (given: string, option = 'id'): number =>
  parseWholeNumber(option, given, 1, 2_147_483_647);

/** Finds a site by its id. Throws `CommandError` when it does not exist. */
export const findSite = async (tables: Tables, given: string, option?: string): Promise<StoredSite> => {
  const id = parseSiteId(given, option);
  const site = (await tables.sites.all()).find((known) => known.id === id);
  return site ?? throwUnknownSite(given);
};

/** Throws the error for a site that does not exist. */
export const throwUnknownSite = (given: string): never => {
  throw notFound('unknown-site', `there is no site ${given}`, 'site list');
};

/** Finds a webhook by its name. Throws `CommandError` when it does not exist. */
export const findWebhook = async (tables: Tables, name: string): Promise<StoredWebhook> => {
  const stored = (await tables.webhooks.all()).find((known) => known.name === name.trim());
  if (stored) return stored;
  throw notFound('unknown-webhook', `there is no webhook named "${name}"`, 'webhook list');
};
