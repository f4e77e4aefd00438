import type { Handler } from './handler.js';

export const listVouchers: Handler<'listVouchers'> = ({ input, reply }, { vouchers }) =>
  reply(200, vouchers.list(input.query.site_id));
