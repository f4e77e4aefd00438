import type { ContractModel } from '../contract.js';
import type { OperationModel, ResponseModel } from '../document/types.js';
import type { HttpExchange } from '../request.js';
import type { Recorder } from '../stage.js';
import type { Scenario, Target } from '../target/target.js';
import { excerpt, responseCells, type AnswerCheck } from './answers.js';

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
  const { status } = response;
  const tried = { name: `${operation.id} ${status}`, operationId: operation.id };
  const plan = target.planFor(operation.id, status);
  if ('excuse' in plan) {
    recorder.skipped(tried, plan.excuse);
    recorder.excused({ operationId: operation.id, kind: 'status', name: String(status) }, plan.excuse);
    for (const cell of responseCells(operation, response)) recorder.excused(cell, plan.excuse);
    return;
  }
  if ('unknown' in plan) {
    recorder.failed(tried, {
      what: `${plan.unknown}: write it into scripts/contract/target/operations/${operation.id}.ts`,
      at: contract.at(response.pointer),
    });
    return;
  }
  for (const scenario of plan.scenarios) await checkScenario(check, operation, response, scenario);
};

const checkScenario = async (
  { contract, target, recorder, answers }: StatusCheck,
  operation: OperationModel,
  response: ResponseModel,
  scenario: Scenario,
): Promise<void> => {
  const { status, pointer } = response;
  const tried = { name: `${operation.id} ${status} ${scenario.how}`, operationId: operation.id };
  const at = contract.at(pointer);
  let sent: HttpExchange;
  try {
    sent = await scenario.send();
  } catch (error) {
    recorder.failed(tried, { what: `there was no answer: ${String(error)}`, at });
    return;
  }
  const { answer, request } = sent;
  const faults =
    answer.status === status
      ? answers.faults(operation, answer, scenario)
      : [`the status is ${answer.status} instead of ${status}: ${excerpt(answer)}`];
  if (faults.length > 0) {
    recorder.failed(tried, { what: faults.join('; '), at, curl: target.curl(request) });
    return;
  }
  recorder.passed(tried);
  recorder.covered({ operationId: operation.id, kind: 'status', name: String(status) });
  for (const cell of answers.shown(operation, answer)) recorder.covered(cell);
  // What a service that somebody else runs has in its lists is not ours to say. What another answer shows counts.
  if (target.fixture) return;
  const unseen = 'no answer of this service held it: an empty list shows no fields of its elements';
  for (const cell of responseCells(operation, response)) recorder.excused(cell, unseen);
};
