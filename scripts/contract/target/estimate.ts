import type { ContractModel } from '../contract.js';
import { isSafe } from '../request.js';
import type { Estimate } from '../stage.js';
import { isExcuse } from './keys.js';
import type { Target } from './target.js';

/** Of an operation that makes vouchers, the statuses whose scenarios make one. */
const making = [200, 201, 409, 422];

/** Other methods of each path, and descriptions. */
const more = 20;

/** What the scenarios of all statuses send at most: each of them one or two requests, or those of a limit. */
export const estimatePlans = ({ operations }: ContractModel, target: Target): Estimate => {
  const limited = target.keys.limited();
  let [requests, vouchers] = [more, 0];
  for (const { id, method, responses } of operations) {
    for (const { status } of responses) {
      const plan = target.planFor(id, status);
      if (!('scenarios' in plan)) continue;
      const count = plan.scenarios.length;
      requests += status === 429 && !isExcuse(limited) ? limited.most + 1 : 2 * count;
      if (target.allowWrites && !isSafe(method) && making.includes(status)) vouchers += count;
    }
  }
  return { requests, vouchers };
};
