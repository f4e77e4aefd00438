import { isDeepStrictEqual } from 'node:util';
import { responseTo } from '../document/operations.js';
import type { HttpAnswer } from '../request.js';
import { describeFaults, type Fault } from '../stage.js';
import { isDirect } from '../target/scenarioContext.js';
import { otherMethods } from '../target/scenarios/methods.js';
import { inTurn } from '../target/turns.js';
import { excerpt, statusFaults } from './answers.js';
import { sendLine } from './requestLine.js';
import type { StatusCheck } from './statuses.js';

/** Every method that the contract does not document for a path is refused, and the answer names those it does. */
export const checkMethods = async (check: StatusCheck, path: string): Promise<void> => {
  const { contract, target, recorder, answers } = check;
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
    const wrongStatus = statusFaults({ id: 'a wrong method without a key' }, [401], anonymous.answer);
    // Where operations document a 401, it is that one.
    const wrong =
      wrongStatus.length > 0 || !responseTo(operation, 401)
        ? wrongStatus
        : answers.faults({ ...operation, method }, anonymous.answer);
    if (wrong.length === 0) recorder.passed(unasked);
    else recorder.failed(unasked, { ...describeFaults(wrong), curl: target.curl(anonymous.request) });
  }
  if (isDirect(target)) await checkCase(check, path, documented);
};

/** Methods are written in capitals: in small letters they are others, which nobody knows. Clients can't send them. */
const checkCase = async (
  { contract, target, recorder }: StatusCheck,
  path: string,
  documented: readonly string[],
): Promise<void> => {
  const [operation] = contract.operations.filter((one) => one.path === path);
  if (!operation || inTurn(contract, operation, [path], 6).length === 0) return;
  const method = documented[0]?.toLowerCase() ?? '';
  const answer = await sendLine(target.url, { method, path, version: '1.1' });
  const faults = methodFaults(method, documented, answer);
  const tried = { name: `${method} ${path} gives 405 with Allow: ${documented.join(', ')}` };
  if (faults.length === 0) recorder.passed(tried);
  else
    recorder.failed(tried, {
      ...describeFaults(faults),
      curl: target.curl({ method, requestTarget: path, headers: [] }),
    });
};

/** What is wrong with the answer to a method that a path does not have. */
export const methodFaults = (method: string, documented: readonly string[], answer: HttpAnswer): Fault[] => {
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
