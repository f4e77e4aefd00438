import type { Contract } from '../contract.js';
import type { Operation } from '../document/types.js';
import type { Provocation, World } from '../world.js';
import { knowledgeOf } from './operations/index.js';
import type { Scene } from './scene.js';
import { forbidden, rateLimited, unauthorized } from './ways/access.js';
import { methodNotAllowed } from './ways/methods.js';
import { invalid, tooLarge } from './ways/refusals.js';
import { serverError } from './ways/serverError.js';
import { unavailable } from './ways/unavailable.js';
import { notModified, successful } from './ways/success.js';

/** Statuses that every operation reaches in the same way. */
const generic: Readonly<Record<number, (scene: Scene) => Provocation>> = {
  304: notModified,
  400: invalid,
  401: unauthorized,
  403: forbidden,
  405: methodNotAllowed,
  413: tooLarge,
  429: rateLimited,
  500: serverError,
  503: unavailable,
};

/** Finds out how an operation is led to a status: from the contract, and from what is known of the operation. */
export const provocation = (
  contract: Contract,
  world: Omit<World, 'provoke'>,
  operationId: string,
  status: number,
): Provocation => {
  const operation = contract.operation(operationId);
  const scene = { contract, operation, world };
  const { ways, moreWays } = knowledgeOf(operationId);
  const found = (ways?.[status] ?? genericWays(operation, status))(scene);
  const more = moreWays?.[status]?.(scene);
  return more && 'ways' in found && 'ways' in more ? { ways: [...found.ways, ...more.ways] } : found;
};

const genericWays = (operation: Operation, status: number): ((scene: Scene) => Provocation) => {
  const [firstSuccess] = operation.responses
    .map((response) => response.status)
    .filter(isSuccess)
    .sort();
  if (status === firstSuccess) return (scene) => successful(scene, status);
  return (
    generic[status] ??
    (({ world }) =>
      world.inside
        ? { unknown: `nobody has written down how ${operation.id} gets to ${status}` }
        : { excuse: `${status} depends on the state of the service` })
  );
};

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
