import { setTimeout as pause } from 'node:timers/promises';
import { excerpt } from '../conformance/answers.js';
import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import { isSafe, type HttpRequest } from '../request.js';
import { describeFaults, type Fault } from '../stage.js';
import { isExcuse, withKey, type Excuse, type Key } from '../target/keys.js';
import { requestOf } from '../target/sample.js';
import { forbiddenToSend, preparedRequest } from '../target/scenarioContext.js';
import { pauseMs } from './limitWindow.js';
import type { SecurityCheck } from './operation.js';

/** OpenAPI says that a credential is needed, and not how others are refused: whatever lets nobody in is good. */
export const checkThirdPartyAccess = async (check: SecurityCheck, key: Key | Excuse): Promise<void> => {
  const { context, sample, recorder } = check;
  const { contract, operation, target } = context;
  const { id: operationId } = operation;
  const attempt = async (
    name: string,
    request: HttpRequest,
    faultsOf: (status: number, shown: string) => Fault[],
  ): Promise<void> => {
    const answer = await target.send(request);
    const faults = faultsOf(answer.status, excerpt(answer));
    const tried = { name: `${operationId}: ${name}`, operationId };
    if (faults.length === 0) recorder.passed(tried);
    else {
      const at = contract.at(operation.location);
      recorder.failed(tried, { ...describeFaults(faults), at, curl: target.curl(request) });
    }
  };
  const refused = (status: number, shown: string): Fault[] =>
    status < 400
      ? [{ text: `the status is ${status} instead of 401 or 403: ${shown}`, cause: 'no 401' }]
      : [];
  const request = requestOf(operation, sample);
  await attempt('a request without a credential is refused', request, refused);
  for (const { what, carry } of target.keys.wrong?.(operation) ?? [])
    await attempt(`${what} is refused`, carry(request), refused);
  const name = 'the credential is let in';
  const excuse = isExcuse(key) ? key : forbiddenToSend(context);
  if (excuse || isExcuse(key)) {
    recorder.skipped({ name: `${operationId}: ${name}`, operationId }, excuse?.excuse ?? '');
    return;
  }
  const letIn = (status: number, shown: string): Fault[] =>
    status === 401 ? [{ text: `the status is 401: ${shown}`, cause: `${operationId} status 401` }] : [];
  await attempt(name, withKey(contract, await preparedRequest(context, sample), key), letIn);
  for (const { what, carry } of target.keys.besideWrong?.(operation) ?? [])
    await attempt(`${what} is let in`, carry(await preparedRequest(context, sample)), letIn);
};

const resetHeader = 'RateLimit-Reset';

/** The first operation that changes nothing, and whose answer documents when its limit begins again. */
export const limitedOperation = ({ operations }: ContractModel): OperationModel | undefined =>
  operations.find(
    (one) =>
      isSafe(one.method) &&
      one.responses.some(
        ({ status, headers }) =>
          status >= 200 &&
          status < 300 &&
          headers.some(({ name }) => name.toLowerCase() === resetHeader.toLowerCase()),
      ),
  );

/** While requests are taken from one window, its end comes nearer. */
export const checkThirdPartyWindow = async (check: SecurityCheck, key: Key): Promise<void> => {
  const { context, sample, recorder } = check;
  const { contract, operation, target } = context;
  const tried = { name: `${operation.id}: ${resetHeader} counts down`, operationId: operation.id };
  const request = withKey(contract, requestOf(operation, sample), key);
  const read = async () => {
    const { headers } = await target.send(request);
    const numberOf = (name: string): number => Number(headers[name] ?? Number.NaN);
    return { reset: numberOf('ratelimit-reset'), remaining: numberOf('ratelimit-remaining') };
  };
  const before = await read();
  await pause(pauseMs);
  const after = await read();
  // Otherwise nothing says that it is the same window.
  if (!(after.remaining < before.remaining))
    recorder.skipped(tried, 'RateLimit-Remaining does not show that two requests are of one window');
  else if (after.reset < before.reset) recorder.passed(tried);
  else {
    const text = `${resetHeader} is ${before.reset}, and after two seconds ${after.reset}`;
    const at = contract.at(operation.location);
    recorder.failed(tried, { what: text, cause: 'window', at, curl: target.curl(request) });
  }
};
