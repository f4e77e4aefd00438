import { fieldCells, statusCell } from '../coverage/cells.js';
import { runSteps, type Stage } from '../stage.js';
import { estimatePlans } from '../target/scenarioPlan.js';
import { makeAnswerCheck } from './answers.js';
import { checkChanged } from './changed.js';
import { checkCreated } from './created.js';
import { checkDescription, descriptionsOf } from './descriptions.js';
import { itemListOf } from './itemLists.js';
import { checkList } from './listQueries.js';
import { checkMethods } from './methods.js';
import { checkPath } from './paths.js';
import { checkRequestIds } from './requestIds.js';
import { checkStatus } from './statuses.js';

/** Leads every operation to every status that the contract documents, and looks at what comes back. */
export const conformance: Stage = {
  name: 'conformance',
  title: 'every operation gives every documented answer, and only such',
  run: async ({ served, contract, recorder, target: getTarget }) => {
    const target = await getTarget();
    const check = { contract, target, recorder, answers: makeAnswerCheck(contract, target) };
    // OpenAPI does not say what is answered beside its paths and methods.
    const ownPaths = served.thirdParty ? [] : [...new Set(contract.operations.map(({ path }) => path))];
    const steps = [
      ...contract.operations.flatMap((operation) =>
        operation.responses.map((response) => ({
          name: `${operation.id} ${response.key}`,
          operationId: operation.id,
          cells: [statusCell(operation, response), ...fieldCells(operation, response)],
          run: () => checkStatus(check, operation, response),
        })),
      ),
      ...ownPaths.map((path) => ({
        name: `${path}: other methods give 405 with Allow`,
        run: () => checkMethods(check, path),
      })),
      ...ownPaths.map((path) => ({
        name: `${path}: other spellings give 404`,
        run: () => checkPath(check, path),
      })),
      ...(target.fixture || target.thirdParty
        ? contract.operations.map((operation) => ({
            name: `${operation.id}: what was created is listed as it was created`,
            run: () => checkCreated(check, operation),
          }))
        : []),
      ...(target.fixture
        ? contract.operations.map((operation) => ({
            name: `${operation.id}: what was changed is listed as it was changed`,
            run: () => checkChanged(check, operation),
          }))
        : []),
      ...(target.fixture || target.thirdParty
        ? contract.operations.flatMap((operation) => {
            const list = itemListOf(operation);
            const name = `${operation.id}: filters, orders and pages`;
            return list ? [{ name, run: () => checkList(check, list) }] : [];
          })
        : []),
      { name: 'X-Request-Id', run: () => checkRequestIds(check, served.keptRequestIds) },
      ...descriptionsOf(served).map((description) => ({
        name: description.path,
        run: () => checkDescription(check, description),
      })),
    ];
    await runSteps(steps, recorder);
  },
  estimate: (contract, target) => estimatePlans(contract, target),
};
