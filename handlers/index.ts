import { createVoucher } from './createVoucher.js';
import type { Handlers } from './handler.js';
import { listSites } from './listSites.js';
import { listVouchers } from './listVouchers.js';

/** Every operation of the contract. An operationId without a handler here does not compile. */
export const handlers: Handlers = { createVoucher, listSites, listVouchers };
