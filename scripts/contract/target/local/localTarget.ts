import type { ContractModel } from '../../contract.js';
import { jsonFields, jsonList } from '../../document/json.js';
import { makeHttpClient } from '../../request.js';
import { curlLine } from '../curl.js';
import { planScenarios } from '../scenarioPlan.js';
import type { Target } from '../target.js';
import { startLocalService, type LocalService } from './localService.js';

/** A target with a service of its own, which ends with it. */
export const makeLocalTarget = async (contract: ContractModel): Promise<Target> => {
  const service = await startLocalService();
  const target = localTargetOn(contract, service);
  return {
    ...target,
    close: async () => {
      await target.close();
      await service.close();
    },
  };
};

/** A target on a service that was started already, perhaps seen through something in front of it. */
export const localTargetOn = (contract: ContractModel, service: LocalService, url = service.url): Target => {
  const { fixture, keys } = service;
  const client = makeHttpClient(url);
  const target: Omit<Target, 'planFor'> = {
    url,
    fixture,
    allowWrites: true,
    substitutions: { site_id: fixture.sites.healthy[0] },
    keys,
    send: client.send,
    // The service will be gone when somebody reads this; the demo at the contract's own address is not.
    curl: (request) => curlLine(servedAt(contract) ?? url, request, keys),
    close: async () => client.close(),
  };
  return {
    ...target,
    planFor: (operationId, status) => planScenarios(contract, target, operationId, status),
  };
};

const servedAt = ({ document }: ContractModel): string | undefined => {
  const { url } = jsonFields(jsonList(document['servers'])[0]);
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
};
