import type { ContractModel } from '../../contract.js';
import { makeHttpClient } from '../../request.js';
import { noBudget } from '../budget.js';
import { curlLine } from '../curl.js';
import { planScenarios } from '../scenarioPlan.js';
import type { Target } from '../target.js';
import { startLocalService, type LocalService } from './localService.js';

/** A target with its own service, which ends with the target. */
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

/** A target on a running service, possibly through a proxy at `url`. */
export const localTargetOn = (contract: ContractModel, service: LocalService, url = service.url): Target => {
  const { fixture, keys } = service;
  const client = makeHttpClient(url);
  const target: Omit<Target, 'planFor'> = {
    url,
    fixture,
    allowWrites: true,
    substitutions: { site_id: fixture.sites.healthy[0] },
    keys,
    budget: noBudget,
    send: client.send,
    // The service has ended when somebody reads this; the demo at the contract's address may run.
    curl: (request) => curlLine(servedAt(contract) ?? url, request, keys),
    close: async () => client.close(),
  };
  return {
    ...target,
    planFor: (operationId, status) => planScenarios(contract, target, operationId, status),
  };
};

const servedAt = ({ loaded }: ContractModel): string | undefined => {
  const { url = '' } = loaded.resolved.servers[0] ?? {};
  return URL.canParse(url) ? url : undefined;
};
