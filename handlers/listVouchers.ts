import type { Handler } from './handler.js';

export const listVouchers: Handler<'listVouchers'> = async ({ input, reply }, { vouchers }) =>
  reply(200, await vouchers.list(input.query.site_id));
