import { isDeepStrictEqual } from 'node:util';
import { fieldCells, statusCell } from '../coverage/cells.js';
import type { HttpAnswer } from '../request.js';
import { describeFaults, runSteps, type Fault, type Stage } from '../stage.js';
import { estimatePlans } from '../target/scenarioPlan.js';
import { otherMethods } from '../target/scenarios/methods.js';
import { excerpt, makeAnswerCheck, statusFaults } from './answers.js';
import { checkCreated } from './created.js';
import { checkDescription, descriptionsOf } from './descriptions.js';
import { itemListOf } from './itemLists.js';
import { checkList } from './listQueries.js';
import { checkPath } from './paths.js';
import { checkRequestIds } from './requestIds.js';
import { checkStatus, type StatusCheck } from './statuses.js';

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

/** Every method that the contract does not document for a path is refused, and the answer names those it does. */
export const checkMethods = async (
  { contract, target, recorder }: StatusCheck,
  path: string,
): Promise<void> => {
  const operations = contract.operations.filter((one) => one.path === path);
  const [operation] = operations;
  if (!operation) return;
  const plan = otherMethods({ contract, operation, target });
  if ('excuse' in plan) {
    recorder.skipped({ name: `${path}: other methods give 405 with Allow` }, plan.excuse);
    return;
  }
  const documented = operations.map(({ method }) => method);
  const needsKey = operations.every(({ security }) => security.length > 0);
  for (const { method, exchange, withoutKey } of plan.methods) {
    const { request, answer } = await exchange();
    const faults = methodFaults(method, documented, answer);
    const tried = { name: `${method} ${path} gives 405 with Allow: ${documented.join(', ')}` };
    if (faults.length === 0) recorder.passed(tried);
    else recorder.failed(tried, { ...describeFaults(faults), curl: target.curl(request) });
    if (!needsKey || !withoutKey) continue;
    const anonymous = await withoutKey();
    const unasked = { name: `${method} ${path} without a key gives 401` };
    const wrong = statusFaults({ id: 'a wrong method without a key' }, [401], anonymous.answer);
    if (wrong.length === 0) recorder.passed(unasked);
    else recorder.failed(unasked, { ...describeFaults(wrong), curl: target.curl(anonymous.request) });
  }
};

const methodFaults = (method: string, documented: readonly string[], answer: HttpAnswer): Fault[] => {
  const wrongStatus = statusFaults({ id: method }, [405], answer);
  if (wrongStatus.length > 0) return wrongStatus;
  const { allow = '' } = answer.headers;
  const allowed = allow.split(',').map((name) => name.trim());
  const faults: Fault[] = [];
  if (!isDeepStrictEqual(allowed.toSorted(), documented.toSorted()))
    faults.push({
      text: `Allow is "${allow}" instead of "${documented.join(', ')}"`,
      cause: `Allow ${allow}`,
    });
  if (method === 'HEAD' ? answer.text !== '' : answer.text !== '{"error":"method_not_allowed"}')
    faults.push({ text: `the body is ${excerpt(answer)}`, cause: `405 ${answer.text}` });
  return faults;
};
