import { draftAudit } from '../audit/audit.js';
import { summarizeOrderLimit } from '../orderLimits/orderLimits.js';
import { toOrderLimitValues } from './configurationFile.js';
import { findDifferences, toExistingStep, type ImportStep, type PlanDeps } from './importStep.js';

/** Rules for orders are the same when role and site are. */
export const planOrderLimits = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { orderLimits } = deps.tables;
  const stored = await orderLimits.all();
  return deps.file.orderLimits.map((given): ImportStep => {
    const wanted = toOrderLimitValues(given);
    const known = stored.find(({ role, siteId }) => role === wanted.role && siteId === wanted.siteId);
    const name = `${wanted.role}, ${wanted.siteId === null ? 'all sites' : `site ${String(wanted.siteId)}`}`;
    const detail = summarizeOrderLimit(wanted);
    if (!known)
      return {
        part: 'orderLimits',
        name,
        outcome: 'created',
        fields: [],
        apply: async () => {
          await orderLimits.add(wanted, draftAudit(deps.actor, 'limit.add', deps.at, detail));
        },
      };
    const step = { part: 'orderLimits', name, fields: findDifferences(wanted, known) } as const;
    return toExistingStep(deps, step, async () => {
      await orderLimits.change(known.id, wanted, draftAudit(deps.actor, 'limit.change', deps.at, detail));
    });
  });
};
