import type { OperationHints } from '../operationHints.js';
import { createVoucherHints } from './createVoucher.js';

/** One file for each operation that has statuses which the contract alone can't tell how to reach. */
const operations: Readonly<Record<string, OperationHints>> = { createVoucher: createVoucherHints };

export const hintsFor = (operationId: string): OperationHints => operations[operationId] ?? {};
