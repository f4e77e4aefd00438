import type { OperationModel } from '../../document/types.js';
import type { Key } from '../keys.js';

/** The headers that the contract documents for a status. */
export const headersOf = ({ responses }: OperationModel, status: number): string[] =>
  (responses.find((response) => response.status === status)?.headers ?? []).map(({ name }) => name);

/** The rate limit headers among them: answers to a limited key have them. */
export const limitHeaders = (operation: OperationModel, status: number, { limit }: Key): string[] =>
  limit > 0 ? headersOf(operation, status).filter((name) => /^ratelimit-/i.test(name)) : [];
