import type { WebHandler } from '../handler.js';

export const listVouchers: WebHandler<'listVouchers'> = async (
  { input, principal, reply, signal },
  { vouchers },
) => {
  const { cursor, ...query } = input.query;
  return reply(200, await vouchers.find(query, principal.user, { cursor, signal }));
};
