import type { Stage } from '../stage.js';
import { makeAnswerCheck } from './answers.js';
import { checkDescription, descriptions } from './descriptions.js';
import { checkMethods } from './methods.js';
import { checkStatus } from './statuses.js';

/** Leads every operation to every status that the contract documents, and looks at what comes back. */
export const conformance: Stage = {
  name: 'conformance',
  title: 'every operation gives every documented answer, and only such',
  run: async ({ contract, recorder, target: getTarget }) => {
    const target = await getTarget();
    const check = { contract, target, recorder, answers: makeAnswerCheck(contract, target) };
    const paths = [...new Set(contract.operations.map(({ path }) => path))];
    const steps = [
      ...contract.operations.flatMap((operation) =>
        operation.responses.map((response) => () => checkStatus(check, operation, response)),
      ),
      ...paths.map((path) => () => checkMethods(check, path)),
      ...descriptions.map((description) => () => checkDescription(check, description)),
    ];
    for (const [done, step] of steps.entries()) {
      recorder.progress(done, steps.length);
      await step();
    }
    recorder.progress(steps.length, steps.length);
  },
};
