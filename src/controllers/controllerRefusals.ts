import { Refusal } from '../errors/problem.js';
import type { StoredSite } from '../sites/siteTable.js';

/** A controller that can't be removed yet. */
export class ControllerNeeded extends Refusal<'controller-in-use' | 'orders-open'> {
  constructor(
    name: string,
    readonly active: readonly StoredSite[],
    readonly openIntents: number,
  ) {
    super(
      active.length > 0 ? 'controller-in-use' : 'orders-open',
      active.length > 0
        ? `${name} is needed by active sites`
        : `${name} is needed: the outcome of orders on it is not known yet`,
    );
  }
}

/** To the administration, a removed controller does not exist. */
export const withRefusals = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'controller-removed' ? unknownController() : error;
  });

export const nameTaken = (name: string): Refusal =>
  new Refusal('name-taken', `there is already a controller named "${name}"`);

/** The refusal for a controller that does not exist. */
export const unknownController = (): Refusal =>
  new Refusal('unknown-controller', 'there is no such controller', 'missing');
