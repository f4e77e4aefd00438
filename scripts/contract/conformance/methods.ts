import { isDeepStrictEqual } from 'node:util';
import type { OperationModel } from '../document/types.js';
import type { HttpAnswer } from '../request.js';
import { otherMethods } from '../target/scenarios/methods.js';
import { excerpt } from './answers.js';
import type { StatusCheck } from './statuses.js';

/** Every method that the contract does not document for a path is refused, and the answer names those it does. */
export const checkMethods = async (
  { contract, target, recorder }: StatusCheck,
  path: string,
): Promise<void> => {
  const operation = contract.operations.find((one) => one.path === path);
  if (!operation) return;
  const tried = { name: `${path}: other methods give 405 with Allow` };
  const plan = otherMethods({ contract, operation, target });
  if ('excuse' in plan) {
    recorder.skipped(tried, plan.excuse);
    return;
  }
  const documented = documentedMethods(contract.operations, path);
  for (const { method, exchange } of plan.methods) {
    const { request, answer } = await exchange();
    const faults = methodFaults(method, documented, answer);
    const one = { name: `${method} ${path} gives 405 with Allow: ${documented.join(', ')}` };
    if (faults.length === 0) recorder.passed(one);
    else recorder.failed(one, { what: faults.join('; '), curl: target.curl(request) });
  }
};

const documentedMethods = (operations: readonly OperationModel[], path: string): string[] =>
  operations.filter((operation) => operation.path === path).map(({ method }) => method);

const methodFaults = (method: string, documented: readonly string[], answer: HttpAnswer): string[] => {
  if (answer.status !== 405) return [`the status is ${answer.status} instead of 405: ${excerpt(answer)}`];
  const allowed = (answer.headers.allow ?? '').split(',').map((name) => name.trim());
  const faults: string[] = [];
  if (!isDeepStrictEqual([...allowed].sort(), [...documented].sort())) {
    faults.push(`Allow is "${answer.headers.allow ?? ''}" instead of "${documented.join(', ')}"`);
  }
  if (method === 'HEAD' ? answer.text !== '' : answer.text !== '{"error":"method_not_allowed"}') {
    faults.push(`the body is ${excerpt(answer)}`);
  }
  return faults;
};
