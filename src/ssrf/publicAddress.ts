import { Refusal } from '../errors/problem.js';
import { AddressRefused, type SsrfGuard } from './ssrfGuard.js';

/** Refuses what is no address, or one inside a network, and returns what is left as it is written. */
export const checkPublicAddress = (guard: Pick<SsrfGuard, 'check'>, address: string): URL => {
  try {
    return guard.check(address);
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    const { code } = error;
    const isInternal = code === 'address-internal' || code === 'name-internal';
    throw new Refusal(
      isInternal ? 'address-private' : 'url-invalid',
      `the address is not allowed: ${error.message}`,
      'invalid',
    );
  }
};
