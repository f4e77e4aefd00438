import { systemEffects } from '../effects.js';
import type { StoredSite } from '../storage/sites.js';
import { commandLine } from './commandLine.js';
import { controllerNamed, shortSite } from './controllerNamed.js';
import { CommandError, counted, plain, type Io } from './io.js';
import { quoted } from './shellWord.js';
import { withStorage } from './withStorage.js';

export interface RemoveOptions {
  force?: boolean;
  json?: boolean;
}

export const removeController = (
  io: Io,
  given: string,
  { force = false, json }: RemoveOptions,
): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const { id, name } = await controllerNamed(storage, given);
    const removal = await storage.controllers.remove(id, systemEffects.now(), { giveUp: force });
    if (removal.outcome === 'refused') throw new CommandError(refusal(name, removal));
    const { sites, givenUp } = removal.outcome === 'kept' ? removal : { sites: [], givenUp: 0 };
    if (json) {
      io.out(
        `${JSON.stringify({ id, name, removed: true, sites: sites.map((site) => site.id), givenUp })}\n`,
      );
      return;
    }
    const stay = `; the vouchers of its inactive sites stay in the records: ${sites.map(shortSite).join(', ')}`;
    io.out(`removed ${plain(name)}${sites.length > 0 ? stay : ''}\n`);
    if (givenUp > 0)
      io.out(
        `open orders given up: ${String(givenUp)}; vouchers that the controller may have made for them are not recorded\n`,
      );
  });

const refusal = (
  name: string,
  { active, openIntents }: { active: readonly StoredSite[]; openIntents: number },
): string => {
  if (active.length === 0)
    return `${name} is needed: the outcome of ${counted(openIntents, 'order')} on it is not known yet; the service finds out while it runs, and doctor tells; if it can never be reached again, give up what is open: ${commandLine(`controller remove ${quoted(name)} --force`)}`;
  const commands = active.map(({ id }) => commandLine(`site deactivate ${String(id)}`));
  const named = active.map(({ id, name: site }) => `${String(id)} "${plain(site)}"`);
  return `${name} is needed by active sites: ${named.join(', ')}; first: ${commands.join(' && ')}`;
};
