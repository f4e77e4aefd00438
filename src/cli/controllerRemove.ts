import { systemEffects } from '../effects.js';
import type { StoredSite } from '../storage/sites.js';
import { controllerNamed, shortSite } from './controllerNamed.js';
import { CommandError, plain, type Io } from './io.js';
import { withStorage } from './withStorage.js';

export const removeController = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const { id, name } = await controllerNamed(storage, given);
    const removal = await storage.controllers.remove(id, systemEffects.now());
    if (removal.outcome === 'refused') throw new CommandError(refusal(name, removal));
    const sites = removal.outcome === 'kept' ? removal.sites : [];
    if (json) io.out(`${JSON.stringify({ id, name, removed: true, sites: sites.map((site) => site.id) })}\n`);
    else {
      const stay = `; the vouchers of its inactive sites stay in the records: ${sites.map(shortSite).join(', ')}`;
      io.out(`removed ${name}${sites.length > 0 ? stay : ''}\n`);
    }
  });

const refusal = (
  name: string,
  { active, openIntents }: { active: readonly StoredSite[]; openIntents: number },
): string => {
  if (active.length === 0)
    return `${name} is needed: the outcome of ${String(openIntents)} orders on it is not known yet; the service finds out while it runs: see voucherd doctor`;
  const commands = active.map(({ id }) => `voucherd site deactivate ${String(id)}`);
  const named = active.map(({ id, name: site }) => `${String(id)} "${plain(site)}"`);
  return `${name} is needed by active sites: ${named.join(', ')}; first: ${commands.join(' && ')}`;
};
