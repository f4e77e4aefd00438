import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { createVoucherHints } from './createVoucher.js';
import { listSitesHints } from './listSites.js';
import { listVouchersHints } from './listVouchers.js';

/** One file for each operation of `openapi.yaml` of which something is known that the contract alone does not say. */
export const apiHints: Readonly<Record<string, OperationHints>> = {
  createVoucher: createVoucherHints,
  listSites: listSitesHints,
  listVouchers: listVouchersHints,
};
