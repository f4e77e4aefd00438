import type { ContractModel } from '../contract.js';
import { fieldCells, fieldNamesIn, statusCell } from '../coverage/cells.js';
import { failedTest } from '../coverage/coverage.js';
import { responseTo, type OperationModel, type ResponseModel } from '../document/operations.js';
import type { HttpAnswer, HttpExchange } from '../request.js';
import { describeFaults, type Recorder } from '../stage.js';
import { BudgetSpent } from '../target/budget.js';
import { hintsOf } from '../target/scenarioContext.js';
import type { Scenario, ScenarioPlan, Target } from '../target/target.js';
import { statusFaults, type AnswerCheck } from './answers.js';

export interface StatusCheck {
  readonly contract: ContractModel;
  readonly target: Target;
  readonly recorder: Recorder;
  readonly answers: AnswerCheck;
}

/** Leads an operation to one of its statuses in every way that is known, and looks at the answers. */
export const checkStatus = async (
  check: StatusCheck,
  operation: OperationModel,
  response: ResponseModel,
): Promise<void> => {
  const { target, recorder, contract } = check;
  const { key } = response;
  const tried = { name: `${operation.id} ${key}`, operationId: operation.id };
  const plan = planFor(check, operation, response);
  if ('excuse' in plan) {
    recorder.skipped(tried, plan.excuse);
    for (const cell of [statusCell(operation, response), ...fieldCells(operation, response)])
      recorder.excused(cell, plan.excuse);
    return;
  }
  if ('unknown' in plan) {
    recorder.failed(tried, {
      what: `${plan.unknown}: write it into ${target.hintsFolder}/${operation.id}.ts`,
      at: contract.at(response.location),
    });
    return;
  }
  const neverShown = [hintsOf({ contract, operation, target }).neverShown, target.neverShown];
  for (const cell of fieldCells(operation, response)) {
    const reason = neverShown.find((never) => never?.fields.test(cell.name));
    if (reason) recorder.excused(cell, reason.because);
  }
  let first: HttpAnswer | undefined;
  for (const scenario of plan.scenarios) {
    const answer = await checkScenario(check, operation, response, scenario);
    first ??= answer;
  }
  if (first && !target.thirdParty) compareExample(check, operation, response, first);
};

/** Nobody can say how to get to a range, or to what is documented by default, unless there is a way to one of its statuses. */
const planFor = (
  { target }: StatusCheck,
  { id }: OperationModel,
  { key, status }: ResponseModel,
): ScenarioPlan => {
  const plan = Number.isNaN(status) ? { unknown: '' } : target.planFor(id, status);
  return 'unknown' in plan && key !== String(status)
    ? { excuse: `${key} stands for several statuses` }
    : plan;
};

/** Fields that clients get to see, and that no example shows. Both fit the schema already. */
const compareExample = (
  { contract, recorder }: StatusCheck,
  operation: OperationModel,
  { key, body, location }: ResponseModel,
  answer: HttpAnswer,
): void => {
  if (!body || body.examples.length === 0) return;
  const tried = {
    name: `${operation.id} ${key}: the example looks like the answer`,
    operationId: operation.id,
  };
  const shown = body.examples.flatMap(({ value }) => fieldNamesIn(body.schema, value));
  // What is empty in the example shows nothing of its inside.
  const isInside = (name: string): boolean =>
    shown.some((one) => one.startsWith(name.slice(0, name.lastIndexOf('.') + 1)));
  const hidden = fieldNamesIn(body.schema, answer.body).filter(
    (name) => !shown.includes(name) && isInside(name),
  );
  const what = `The answer has what the example does not show: ${hidden.join(', ')}`;
  if (hidden.length === 0) recorder.passed(tried);
  else recorder.failed(tried, { what, at: contract.at([...location, 'content', body.mediaType, 'example']) });
};

const checkScenario = async (
  { contract, target, recorder, answers }: StatusCheck,
  operation: OperationModel,
  response: ResponseModel,
  scenario: Scenario,
): Promise<HttpAnswer | undefined> => {
  const { key, status, location } = response;
  const tried = { name: `${operation.id} ${key} ${scenario.how}`, operationId: operation.id };
  const at = contract.at(location);
  let sent: HttpExchange;
  try {
    sent = await scenario.send();
  } catch (error) {
    if (error instanceof BudgetSpent) throw error;
    recorder.failed(tried, { what: `there was no answer: ${String(error)}`, cause: String(error), at });
    return undefined;
  }
  const { answer, request } = sent;
  const cells = [statusCell(operation, response), ...fieldCells(operation, response)];
  const excuse = target.excuses?.(operation, status, answer);
  if (excuse !== undefined) {
    recorder.skipped(tried, excuse);
    for (const cell of cells) recorder.excused(cell, excuse);
    return undefined;
  }
  const isOfRange = responseTo(operation, answer.status)?.key === key;
  const wrongStatus = statusFaults(operation, [isOfRange ? answer.status : status], answer);
  const faults = wrongStatus.length > 0 ? wrongStatus : answers.faults(operation, answer, scenario);
  if (faults.length > 0) {
    recorder.failed(tried, { ...describeFaults(faults), at, curl: target.curl(request) });
    for (const cell of cells) recorder.excused(cell, failedTest);
    return undefined;
  }
  recorder.passed(tried);
  recorder.covered(statusCell(operation, response));
  for (const cell of answers.shown(operation, answer)) recorder.covered(cell);
  // What a service that somebody else runs has in its lists is not ours to say. What another answer shows counts.
  if (target.fixture) return answer;
  const unseen = 'no answer of this service held it: an empty list shows no fields of its elements';
  for (const cell of fieldCells(operation, response)) recorder.excused(cell, unseen);
  return answer;
};
