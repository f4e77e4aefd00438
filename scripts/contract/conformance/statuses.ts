import type { Contract } from '../contract.js';
import type { Operation, Response } from '../document/types.js';
import type { Exchange } from '../request.js';
import type { Recorder } from '../stage.js';
import type { Way, World } from '../world.js';
import { excerpt, responseCells, type AnswerCheck } from './answers.js';

export interface StatusCheck {
  readonly contract: Contract;
  readonly world: World;
  readonly recorder: Recorder;
  readonly answers: AnswerCheck;
}

/** Leads an operation to one of its statuses in every way that is known, and looks at the answers. */
export const checkStatus = async (
  check: StatusCheck,
  operation: Operation,
  response: Response,
): Promise<void> => {
  const { world, recorder, contract } = check;
  const { status } = response;
  const tried = { name: `${operation.id} ${status}`, operationId: operation.id };
  const provocation = world.provoke(operation.id, status);
  if ('excuse' in provocation) {
    recorder.skipped(tried, provocation.excuse);
    recorder.excused({ operationId: operation.id, kind: 'status', name: String(status) }, provocation.excuse);
    for (const cell of responseCells(operation, response)) recorder.excused(cell, provocation.excuse);
    return;
  }
  if ('unknown' in provocation) {
    recorder.failed(tried, {
      what: `${provocation.unknown}: write it into scripts/contract/world/operations/${operation.id}.ts`,
      at: contract.at(response.pointer),
    });
    return;
  }
  for (const way of provocation.ways) await checkWay(check, operation, response, way);
};

const checkWay = async (
  { contract, world, recorder, answers }: StatusCheck,
  operation: Operation,
  response: Response,
  way: Way,
): Promise<void> => {
  const { status, pointer } = response;
  const tried = { name: `${operation.id} ${status} ${way.how}`, operationId: operation.id };
  const at = contract.at(pointer);
  let sent: Exchange;
  try {
    sent = await way.send();
  } catch (error) {
    recorder.failed(tried, { what: `there was no answer: ${String(error)}`, at });
    return;
  }
  const { answer, request } = sent;
  const faults =
    answer.status === status
      ? answers.faults(operation, answer, way)
      : [`the status is ${answer.status} instead of ${status}: ${excerpt(answer)}`];
  if (faults.length > 0) {
    recorder.failed(tried, { what: faults.join('; '), at, curl: world.curl(request) });
    return;
  }
  recorder.passed(tried);
  recorder.covered({ operationId: operation.id, kind: 'status', name: String(status) });
  for (const cell of answers.shown(operation, answer)) recorder.covered(cell);
  // What a service that somebody else runs has in its lists is not ours to say. What another answer shows counts.
  if (world.inside) return;
  const unseen = 'no answer of this service held it: an empty list shows no fields of its elements';
  for (const cell of responseCells(operation, response)) recorder.excused(cell, unseen);
};
