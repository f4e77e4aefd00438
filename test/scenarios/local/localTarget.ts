import type { ContractModel } from '../../../tools/contract/src/contract.js';
import type { ContractUnderTest } from '../../../tools/contract/src/contracts.js';
import { isSafe, makeHttpClient, type HttpRequest } from '../../../tools/contract/src/request.js';
import { noBudget } from '../../../tools/contract/src/target/budget.js';
import { asOwnPage } from '../../../tools/contract/src/target/credentialSource.js';
import { curlLine } from '../../../tools/contract/src/target/curl.js';
import { probeRequest, type Key } from '../../../tools/contract/src/target/keys.js';
import { planScenarios } from '../../../tools/contract/src/target/scenarioPlan.js';
import type { Target } from '../../../tools/contract/src/target/target.js';
import { startLocalService, type LocalService } from './localService.js';

/** A target with its own service, which ends with the target. */
export const makeLocalTarget = async (
  served: ContractUnderTest,
  contract: ContractModel,
): Promise<Target> => {
  const service = await startLocalService({ served, contract });
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
  const { fixture, keys, served } = service;
  const { canEnd = false, sameOriginOnly = false } = served.credentials;
  const client = makeHttpClient(url, { isOwnService: true });
  const complete = (request: HttpRequest): HttpRequest => (sameOriginOnly ? asOwnPage(request) : request);
  const isLetIn = async (key: Key): Promise<boolean> => {
    const probe = probeRequest(contract, key);
    return !probe || ![401, 403].includes((await client.send(probe)).status);
  };
  const target: Omit<Target, 'planFor'> = {
    hints: served.hints,
    neverShown: served.neverShown,
    hintsFolder: served.hintsFolder,
    sameOriginOnly,
    jsonContentType: served.jsonContentType,
    url,
    fixture,
    allowWrites: true,
    substitutions: service.substitutions,
    keys,
    budget: noBudget,
    send: async (request) => {
      const answer = await client.send(complete(request));
      // Whatever was done may have ended a session: that of a sign-out, or those of a user who was changed.
      if (canEnd && !isSafe(request.method) && answer.status < 300 && (await service.mayHaveEnded()))
        await keys.renew?.(isLetIn);
      return answer;
    },
    // The service has ended when somebody reads this; the demo at the contract's address may run.
    curl: (request) => curlLine(servedAt(contract) ?? url, complete(request), keys),
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
