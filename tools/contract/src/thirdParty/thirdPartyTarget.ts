import type { Scenarios } from '../../scenarios.js';
import type { ContractModel } from '../contract.js';
import { responseTo, type OperationModel } from '../document/operations.js';
import { makeHttpClient, usualPatienceMs, type HttpAnswer, type HttpRequest } from '../request.js';
import { makeBudget } from '../target/budget.js';
import { curlLine } from '../target/curl.js';
import { planScenarios } from '../target/scenarioPlan.js';
import type { ScenarioPlan, Target } from '../target/target.js';
import { makePacedClient } from '../target/remote/pacedClient.js';
import { createItems, preparingHints } from './createdItems.js';
import { makeThirdPartyKeys, type GivenCredentials } from './credentials.js';
import { findListedValues } from './listedValues.js';
import { hintsFrom } from './scenarioModule.js';

export interface ThirdPartyOptions {
  readonly url: string;
  readonly credentials: GivenCredentials;
  readonly allowWrites: boolean;
  readonly maxRequests: number;
  readonly scenarios: Scenarios;
}

/** A service of others: what is known of it is its contract, and what its scenarios say. */
export const makeThirdPartyTarget = async (
  contract: ContractModel,
  options: ThirdPartyOptions,
): Promise<Target> => {
  const { url, credentials, allowWrites, maxRequests, scenarios } = options;
  const client = makeHttpClient(url, { patienceMs: usualPatienceMs });
  try {
    const limits = { maxRequests, maxVouchers: Infinity, mark: undefined };
    const { budget, send } = makeBudget(limits, client.send);
    const paced = makePacedClient({ ...client, send }, undefined);
    const { headers, ...keys } = makeThirdPartyKeys(contract, credentials);
    const withHeaders = (request: HttpRequest): HttpRequest => ({
      ...request,
      headers: [...request.headers, ...headers],
    });
    const hints = preparingHints(
      contract,
      hintsFrom(
        scenarios,
        contract.operations.map(({ id }) => id),
      ),
    );
    const target: Omit<Target, 'planFor'> = {
      thirdParty: true,
      excuses: excuseFor,
      hints,
      hintsFolder: '--scenarios',
      sameOriginOnly: false,
      url,
      fixture: undefined,
      allowWrites,
      substitutions: {},
      keys,
      budget,
      send: (request) => paced.send(withHeaders(request)),
      curl: (request) => curlLine(url, withHeaders(request), keys),
      close: async () => client.close(),
    };
    const listed = { ...target, substitutions: await findListedValues(contract, target) };
    const known = { ...target, substitutions: await createItems(contract, listed) };
    return {
      ...known,
      planFor: (operationId, status) =>
        status >= 500 && !hints[operationId]?.scenarios?.[status]
          ? { excuse: 'a failure of the service cannot be provoked from outside; --scenarios can show how' }
          : withoutUnknown(planScenarios(contract, known, operationId, status)),
    };
  } catch (error) {
    client.close();
    throw error;
  }
};

/** What nobody can know of a service of others is no fault. */
const withoutUnknown = (plan: ScenarioPlan): ScenarioPlan =>
  'unknown' in plan ? { excuse: `${plan.unknown}; --scenarios can show how` } : plan;

/** Statuses of a good request that depend on what the service has, and on who asks. */
const stateful = [403, 404, 409, 410, 412, 422, 423, 428, 429];

const excuseFor = (operation: OperationModel, expected: number, answer: HttpAnswer): string | undefined => {
  const { status } = answer;
  const documented = responseTo(operation, status);
  if (!documented || documented === responseTo(operation, expected)) return undefined;
  const isOther =
    (expected < 400 && stateful.includes(status)) ||
    (expected >= 400 && status >= 400 && status < 500) ||
    (expected === 304 && status < 300);
  return isOther
    ? `${operation.id} answers ${status}, which is documented, instead of ${expected}; --scenarios can show how to get there`
    : undefined;
};
