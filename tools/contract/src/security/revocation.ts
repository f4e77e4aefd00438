import { setTimeout as pause } from 'node:timers/promises';
import type { HttpAnswer, HttpRequest } from '../request.js';
import { withKey } from '../target/keys.js';
import { preparedRequest } from '../target/scenarioContext.js';
import { fault, note, refusalFaults, type SecurityCheck } from './operation.js';

/** Services promise a second. Answers are counted, and not time: a busy machine may give none for long. */
const maxAnswers = 50;
const pauseMs = 100;

/** A key that was let in, and that the service therefore knows by heart, is refused soon after it was revoked. */
export const checkRevocation = async (check: SecurityCheck): Promise<void> => {
  const { contract, operation, target } = check.context;
  // How a key is found is the same for all operations.
  if (operation !== contract.operations.find(({ security }) => security.length > 0)) return;
  const revocable = await target.keys.revocable?.();
  if (!revocable) return;
  const { key, revoke } = revocable;
  const request = withKey(contract, await preparedRequest(check.context, check.sample), key);
  const before = await target.send(request);
  await revoke();
  const faults =
    before.status === 401
      ? [fault('a new key gives 401')]
      : refusalFaults(check, 401, await answerOnceRefused(check, request));
  note(check, 'a key that was let in gives 401 once it is revoked', faults, request);
};

const answerOnceRefused = async (
  { context: { target } }: SecurityCheck,
  request: HttpRequest,
): Promise<HttpAnswer> => {
  for (let nth = 1; ; nth += 1) {
    const answer = await target.send(request);
    if (answer.status === 401 || nth === maxAnswers) return answer;
    await pause(pauseMs);
  }
};
