import type { faultsOfVouchers } from './faults.js';
import { isObject, parseJson, type Reply } from './route.js';

type Fields = Readonly<Record<string, unknown>>;
type VoucherFault = (typeof faultsOfVouchers)[number];

const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const spoilVoucher: Readonly<Partial<Record<VoucherFault, (voucher: Fields) => unknown>>> = {
  'null-voucher': () => null,
  'no-code': (voucher) => without(voucher, 'code'),
  'null-code': (voucher) => ({ ...voucher, code: null }),
  'empty-code': (voucher) => ({ ...voucher, code: '' }),
  // A newer classic API shows the id of the Integration API as well.
  'no-id': (voucher) => without(voucher, 'id', '_id', 'external_id'),
};

/** The answer that shows created vouchers, with what a fault makes of their list. */
export const spoil = (reply: Reply, fault: VoucherFault): Reply => {
  const { created, body } = reply;
  const fields = parseJson(typeof body === 'string' ? body : [...body].join(''));
  if (created === undefined || !isObject(fields)) return reply;
  const list = fields[created];
  const vouchers = Array.isArray(list) ? list.filter(isObject) : [];
  const change = spoilVoucher[fault];
  const spoiled = {
    ...without(fields, created),
    ...(fault !== 'no-list' && { [created]: change ? vouchers.map(change) : [] }),
  };
  return { ...reply, body: JSON.stringify(spoiled) };
};
