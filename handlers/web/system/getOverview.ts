import type { WebHandler } from '../handler.js';
import { toHealthReply, toTime } from '../replies.js';

export const getOverview: WebHandler<'getOverview'> = async (
  { input, principal, reply },
  { getOverview },
) => {
  const { days: count, timeZone } = input.query;
  const overview = await getOverview(principal.user, { days: count, timeZone });
  const { days, sites, vouchers, figures, controllers, attention, firstSteps } = overview;
  return reply(200, {
    days: [...days],
    sites: [...sites],
    vouchers: [...vouchers],
    figures,
    controllers: controllers.map(({ health, ...controller }) => ({
      ...controller,
      health: toHealthReply(health),
    })),
    attention: attention.map(({ at, reason, ...entry }) => ({
      ...entry,
      ...(reason && { reason: { ...reason } }),
      ...(at !== undefined && { at: toTime(at) }),
    })),
    firstSteps: firstSteps && { ...firstSteps, steps: [...firstSteps.steps] },
  });
};
