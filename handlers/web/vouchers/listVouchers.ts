import type { WebHandler } from '../handler.js';

export const listVouchers: WebHandler<'listVouchers'> = async (
  { input, key, reply, signal },
  { vouchers },
) => {
  const { cursor, ...query } = input.query;
  return reply(200, await vouchers.find(query, key.user, { cursor, signal }));
};
