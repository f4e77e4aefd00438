import type { OperationHints } from '../operationHints.js';
import { createVoucherHints } from './createVoucher.js';
import { listSitesHints } from './listSites.js';
import { listVouchersHints } from './listVouchers.js';

/** One file for each operation of which something is known that the contract alone does not say. */
const operations: Readonly<Record<string, OperationHints>> = {
  createVoucher: createVoucherHints,
  listSites: listSitesHints,
  listVouchers: listVouchersHints,
};

export const hintsFor = (operationId: string): OperationHints => operations[operationId] ?? {};
