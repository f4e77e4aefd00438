import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { isSafe } from '../request.js';
import type { Estimate } from '../stage.js';
import { isExcuse } from './keys.js';
import { hintsOf, requestsEach } from './scenarioContext.js';
import { forbidden, rateLimited, unauthorized } from './scenarios/access.js';
import { withCapitalIds } from './scenarios/capitalIds.js';
import { wrongMethod } from './scenarios/methods.js';
import {
  invalidRequest,
  missingResource,
  staleVersion,
  tooLarge,
  unsupportedBody,
} from './scenarios/refusals.js';
import { overloaded, serverError } from './scenarios/serverFailures.js';
import { notModified, successful } from './scenarios/success.js';
import type { ScenarioPlan, Target, ScenarioContext } from './target.js';

/** Statuses with the same scenarios for every operation. */
const generic: Readonly<Record<number, (context: ScenarioContext) => ScenarioPlan>> = {
  304: notModified,
  400: invalidRequest,
  401: unauthorized,
  403: forbidden,
  404: missingResource,
  405: wrongMethod,
  412: staleVersion,
  413: tooLarge,
  415: unsupportedBody,
  429: rateLimited,
  500: serverError,
  503: overloaded,
};

/** Finds out how an operation is led to a status: from the contract, and from what is known of the operation. */
export const planScenarios = (
  contract: ContractModel,
  target: Omit<Target, 'planFor'>,
  operationId: string,
  status: number,
): ScenarioPlan => {
  const operation = contract.operation(operationId);
  const context = { contract, operation, target };
  const { scenarios, moreScenarios } = hintsOf(context);
  const plan = scenarios?.[status] ?? genericScenarios(operation, status);
  const found = plan(context);
  if (!('scenarios' in found)) return found;
  const more = moreScenarios?.[status]?.(context);
  return {
    scenarios: [
      ...found.scenarios,
      ...(more && 'scenarios' in more ? more.scenarios : []),
      ...(isSuccess(status) ? withCapitalIds(context, plan) : []),
    ],
  };
};

const genericScenarios = (
  operation: OperationModel,
  status: number,
): ((context: ScenarioContext) => ScenarioPlan) => {
  const [firstSuccess] = operation.responses
    .map((response) => response.status)
    .filter(isSuccess)
    .sort();
  if (status === firstSuccess) return (context) => successful(context, status);
  return (
    generic[status] ??
    (({ target }) =>
      target.fixture
        ? { unknown: `nobody has written down how ${operation.id} gets to ${status}` }
        : { excuse: `${status} depends on the state of the service` })
  );
};

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Of an operation that makes vouchers, the statuses whose scenarios make one. */
const making = [200, 201, 409, 422];

/** Other methods and spellings of each path, and descriptions. */
const more = 25;

/** What the scenarios of all statuses send at most: each of them one or two requests, or those of a limit. */
export const estimatePlans = (contract: ContractModel, target: Target): Estimate => {
  const limited = target.keys.limited();
  let [requests, vouchers] = [more, 0];
  for (const operation of contract.operations) {
    const { id, method, responses } = operation;
    const each = requestsEach({ contract, operation, target });
    for (const { status } of responses.filter((one) => !Number.isNaN(one.status))) {
      const plan = target.planFor(id, status);
      if (!('scenarios' in plan)) continue;
      const count = plan.scenarios.length;
      requests += status === 429 && !isExcuse(limited) ? limited.most + 1 : 2 * each * count;
      if (target.allowWrites && !isSafe(method) && making.includes(status)) vouchers += count;
    }
  }
  return { requests, vouchers };
};
