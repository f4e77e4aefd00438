import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { withProblem } from './controllerProblem.js';

export const adoptVouchers: WebHandler<'adoptVouchers'> = async (
  { input, principal, reply, client, signal },
  { foreignVouchers },
) => {
  const { path, body } = input;
  const actor = actorOf(principal, client);
  const { result, problem } = await withProblem(0, () =>
    foreignVouchers.adopt(path.siteId, body.ids ?? undefined, actor, signal),
  );
  return reply(200, { adopted: result, problem });
};
