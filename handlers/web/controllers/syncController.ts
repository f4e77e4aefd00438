import {
  describeControllerProblem,
  toControllerProblem,
} from '../../../src/controllers/controllerProblem.js';
import type { WebHandler } from '../handler.js';

export const syncController: WebHandler<'syncController'> = async ({ input, reply }, { syncNow }) => {
  const result = await syncNow(input.path.controllerId);
  if (!result) return reply(200, { state: 'running', changed: 0, gone: 0, problem: null });
  const { changed, gone, failures } = result;
  const [failure] = failures;
  return reply(200, {
    state: failure ? 'failed' : 'done',
    changed,
    gone,
    problem: failure ? { ...describeControllerProblem(toControllerProblem(failure.error)) } : null,
  });
};
