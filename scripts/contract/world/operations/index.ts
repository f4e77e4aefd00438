import type { Knowledge } from '../knowledge.js';
import { createVoucher } from './createVoucher.js';

/** One file for each operation that has statuses which the contract alone can't tell how to reach. */
const operations: Readonly<Record<string, Knowledge>> = { createVoucher };

export const knowledgeOf = (operationId: string): Knowledge => operations[operationId] ?? {};
