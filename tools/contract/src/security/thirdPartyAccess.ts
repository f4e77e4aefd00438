import { excerpt } from '../conformance/answers.js';
import type { HttpRequest } from '../request.js';
import { describeFaults, type Fault } from '../stage.js';
import { isExcuse, withKey, type Excuse, type Key } from '../target/keys.js';
import { requestOf } from '../target/sample.js';
import { forbiddenToSend, preparedRequest } from '../target/scenarioContext.js';
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
  await attempt(name, withKey(contract, await preparedRequest(context, sample), key), (status, shown) =>
    status === 401 ? [{ text: `the status is 401: ${shown}`, cause: `${operationId} status 401` }] : [],
  );
};
