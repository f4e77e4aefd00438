import { fieldCells, statusCell } from '../coverage/cells.js';
import type { Stage } from '../stage.js';
import { runSteps } from '../steps.js';
import { estimatePlans } from '../target/estimate.js';
import { makeAnswerCheck } from './answers.js';
import { checkDescription, descriptionsOf } from './descriptions.js';
import { checkMethods } from './methods.js';
import { checkStatus } from './statuses.js';

/** Leads every operation to every status that the contract documents, and looks at what comes back. */
export const conformance: Stage = {
  name: 'conformance',
  title: 'every operation gives every documented answer, and only such',
  run: async ({ served, contract, recorder, target: getTarget }) => {
    const target = await getTarget();
    const check = { contract, target, recorder, answers: makeAnswerCheck(contract, target) };
    const paths = [...new Set(contract.operations.map(({ path }) => path))];
    const steps = [
      ...contract.operations.flatMap((operation) =>
        operation.responses.map((response) => ({
          name: `${operation.id} ${response.status}`,
          operationId: operation.id,
          cells: [statusCell(operation, response), ...fieldCells(operation, response)],
          run: () => checkStatus(check, operation, response),
        })),
      ),
      ...paths.map((path) => ({
        name: `${path}: other methods give 405 with Allow`,
        run: () => checkMethods(check, path),
      })),
      ...descriptionsOf(served).map((description) => ({
        name: description.path,
        run: () => checkDescription(check, description),
      })),
    ];
    await runSteps(steps, recorder);
  },
  estimate: (contract, target) => estimatePlans(contract, target),
};
