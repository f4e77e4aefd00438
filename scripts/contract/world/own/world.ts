import type { Contract } from '../../contract.js';
import { fieldsOf, listOf } from '../../document/json.js';
import { makeClient } from '../../request.js';
import type { World } from '../../world.js';
import { curlLine } from '../curl.js';
import { provocation } from '../provoke.js';
import { startOwnService, type OwnService } from './service.js';

/** A world with a service of its own, which ends with it. */
export const makeOwnWorld = async (contract: Contract): Promise<World> => {
  const service = await startOwnService();
  const world = worldOf(contract, service);
  return {
    ...world,
    close: async () => {
      await world.close();
      await service.close();
    },
  };
};

/** A world on a service that was started already, perhaps seen through something in front of it. */
export const worldOf = (contract: Contract, service: OwnService, url = service.url): World => {
  const { inside, keys } = service;
  const client = makeClient(url);
  const world: Omit<World, 'provoke'> = {
    url,
    inside,
    allowWrites: true,
    substitutions: { site_id: inside.sites.healthy[0] },
    keys,
    send: client.send,
    // The service will be gone when somebody reads this; the demo at the contract's own address is not.
    curl: (request) => curlLine(servedAt(contract) ?? url, request, keys),
    close: async () => client.close(),
  };
  return { ...world, provoke: (operationId, status) => provocation(contract, world, operationId, status) };
};

const servedAt = ({ document }: Contract): string | undefined => {
  const { url } = fieldsOf(listOf(document['servers'])[0]);
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
};
