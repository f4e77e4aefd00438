import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const revokeVouchers: WebHandler<'revokeVouchers'> = async (
  { input, principal, reply, client },
  { vouchers },
) => {
  const selected = await vouchers.select(input.body, principal.user);
  const { revoked, failed } = await vouchers.revoke(selected, actorOf(principal, client));
  return reply(200, { revoked: [...revoked], failed: [...failed] });
};
