import type { OperationHints } from '../operationHints.js';
import { createVoucherHints } from './createVoucher.js';

/** One file for each operation with statuses that cannot be reached by the contract alone. */
const operations: Readonly<Record<string, OperationHints>> = { createVoucher: createVoucherHints };

export const hintsFor = (operationId: string): OperationHints => operations[operationId] ?? {};
