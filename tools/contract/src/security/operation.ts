import { isDeepStrictEqual } from 'node:util';
import { excerpt, statusFaults, type AnswerCheck } from '../conformance/answers.js';
import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/operations.js';
import type { HttpAnswer, HttpRequest } from '../request.js';
import { describeFaults, type Fault, type Recorder } from '../stage.js';
import {
  type Key,
  type KeyCarrier,
  inLowerCase,
  isExcuse,
  keyCarriers,
  scopesOf,
  withCarriedKey,
  withKey,
} from '../target/keys.js';
import { requestOf, type Sample } from '../target/sample.js';
import type { Scenario, ScenarioContext } from '../target/target.js';
import { preparedRequest } from '../target/scenarioContext.js';
import { inTurn } from '../target/turns.js';
import { fromOtherSites } from '../target/scenarios/access.js';
import { badKeys, pairedKeys, type BadKey } from './badKeys.js';

export interface SecurityCheck {
  readonly context: ScenarioContext;
  readonly sample: Sample;
  readonly recorder: Recorder;
  readonly answers: AnswerCheck;
}

export const note = (
  { context: { operation, target }, recorder }: SecurityCheck,
  name: string,
  faults: readonly Fault[],
  request: HttpRequest,
): void => {
  const tried = { name: `${operation.id}: ${name}`, operationId: operation.id };
  if (faults.length === 0) recorder.passed(tried);
  else recorder.failed(tried, { ...describeFaults(faults), curl: target.curl(request) });
};

export const fault = (text: string, cause = text): Fault => ({ text, cause });

export const refusalFaults = (
  { context: { operation }, answers }: SecurityCheck,
  status: number,
  answer: HttpAnswer,
) => {
  const wrong = statusFaults(operation, [status], answer);
  return wrong.length > 0 ? wrong : answers.faults(operation, answer);
};

export const skip = (
  { context: { operation }, recorder }: SecurityCheck,
  name: string,
  reason: string,
): void => {
  recorder.skipped({ name: `${operation.id}: ${name}`, operationId: operation.id }, reason);
};

/** Where an operation gets its keys. */
export const carriersFor = (contract: ContractModel, operation: OperationModel): readonly KeyCarrier[] => {
  const carriers = keyCarriers(contract).flatMap((carrier) => [carrier, inLowerCase(carrier)]);
  return inTurn(contract, operation, carriers, carriers.length);
};

/** The bad keys that an operation gets. */
export const badKeysFor = (
  { contract, operation, target }: ScenarioContext,
  sample: Sample,
  key: Key,
): readonly BadKey[] => {
  const [none, ...others] = badKeys(contract, target.keys, key, requestOf(operation, sample));
  return [none, ...inTurn(contract, operation, others, 20)];
};

/** The pages of other sites whose requests an operation gets. */
export const otherSitesFor = (context: ScenarioContext): readonly Scenario[] =>
  inTurn(context.contract, context.operation, fromOtherSites(context), 6);

/** Sends the sample with a key wherever the contract lets one stand, and notes what is wrong with each answer. */
const tryCarriers = async (
  check: SecurityCheck,
  key: Key,
  outcome: string,
  faultsOf: (answer: HttpAnswer) => Fault[],
): Promise<void> => {
  const { contract, operation, target } = check.context;
  for (const carrier of carriersFor(contract, operation)) {
    const prepared = await preparedRequest(check.context, check.sample);
    const request = withCarriedKey(prepared, carrier, key.text());
    const faults = faultsOf(await target.send(request));
    note(check, `a key of the scope ${key.scope} in ${carrier.header} ${outcome}`, faults, request);
  }
};

/** A good key is let in: without this, refusals would prove nothing. */
export const checkGoodKeys = async (check: SecurityCheck, key: Key): Promise<void> => {
  const faultsOf = (answer: HttpAnswer): Fault[] => {
    const { status } = answer;
    const refused = fault(`the status is ${status}: ${excerpt(answer)}`, `a good key gives ${status}`);
    return [
      ...([401, 403, 429].includes(status) ? [refused] : []),
      ...check.answers.faults(check.context.operation, answer),
    ];
  };
  await tryCarriers(check, key, 'is let in', faultsOf);
  await tryAlike(check, faultsOf);
  const { contract, operation, target } = check.context;
  if (target.thirdParty) return;
  for (const { what, add } of pairedKeys(contract, operation, key)) {
    const request = add(await preparedRequest(check.context, check.sample));
    note(check, `${what} is let in`, faultsOf(await target.send(request)), request);
  }
};

/** Keys that are found by the same thing are all let in. */
const tryAlike = async (check: SecurityCheck, faultsOf: (answer: HttpAnswer) => Fault[]): Promise<void> => {
  const { contract, operation, target } = check.context;
  // How a key is found is the same for all operations.
  if (operation !== contract.operations.find(({ security }) => security.length > 0)) return;
  for (const [index, key] of (target.keys.alike?.() ?? []).entries()) {
    const request = withKey(contract, await preparedRequest(check.context, check.sample), key);
    const name = `key ${index + 1} of those with a common beginning is let in`;
    note(check, name, faultsOf(await target.send(request)), request);
  }
};

/** Whatever is no valid key gets 401, and an answer that does not tell which of them it was. */
export const checkBadKeys = async (check: SecurityCheck, key: Key): Promise<void> => {
  const { context, sample } = check;
  const { target } = context;
  let first: unknown;
  for (const { what, request, text } of badKeysFor(context, sample, key)) {
    if (isExcuse(request)) {
      skip(check, `${what} gives 401`, request.excuse);
      continue;
    }
    const answer = await target.send(request);
    const told = tellTale(answer);
    first ??= told;
    const faults = refusalFaults(check, 401, answer);
    if (faults.length === 0 && !isDeepStrictEqual(told, first))
      faults.push(
        fault(
          `the answer differs from the one to a request without a key: ${excerpt(answer)}`,
          'tell-tale 401',
        ),
      );
    if (text.length >= 8 && answer.text.includes(text))
      faults.push(fault('the answer holds what was shown as a key'));
    note(check, `${what} gives 401`, faults, request);
  }
};

/** All of an answer that could tell one refusal from another. */
const tellTale = ({ status, headers, text }: HttpAnswer): unknown => {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  return { status, text, headers: others };
};

/** A valid key that lacks the scope gets 403; where no key lacks it, one with more rights is let in as well. */
export const checkScope = async (check: SecurityCheck): Promise<void> => {
  const { contract, operation, target } = check.context;
  const lacking = target.keys.lacking(operation.scope);
  if (!isExcuse(lacking))
    return tryCarriers(check, lacking, 'gives 403', (answer) => refusalFaults(check, 403, answer));
  const [weakest, ...others] = scopesOf(contract);
  const strongest = others.at(-1);
  if (operation.scope !== weakest) skip(check, 'a key without the scope gives 403', lacking.excuse);
  else if (strongest !== undefined) {
    const key = target.keys.permitting(strongest);
    if (isExcuse(key)) skip(check, `a key of the scope ${strongest} is let in`, key.excuse);
    else await checkGoodKeys(check, key);
  }
};

/** The page of another site must not act in the name of a signed-in user. */
export const checkOrigin = async (check: SecurityCheck): Promise<void> => {
  for (const { how, send } of otherSitesFor(check.context)) {
    const { request, answer } = await send();
    note(check, `a request ${how} gives 403`, refusalFaults(check, 403, answer), request);
  }
};

/** Exactly as many requests as the limit says, however many come at once. */
export const checkLimit = async (check: SecurityCheck, isFirst: boolean): Promise<void> => {
  const { context, sample } = check;
  const name = 'exactly as many requests as the limit allows are let in';
  const keys = context.target.keys.limited();
  if (isExcuse(keys)) {
    skip(check, name, keys.excuse);
    return;
  }
  if (keys.same && !isFirst) {
    skip(check, name, 'the limit belongs to the key, and was tried with another operation in this minute');
    return;
  }
  const { key, left } = await keys.open();
  const request = withKey(context.contract, requestOf(context.operation, sample), key);
  const faults = await limitFaults(context.target, request, left);
  note(
    check,
    name,
    faults.map((text) => fault(text, `limit: ${text.replaceAll(/\d+/g, 'n')}`)),
    request,
  );
};

/** What is wrong with how a key's limit is kept, when so many of its requests are left. */
const limitFaults = async (
  target: ScenarioContext['target'],
  request: HttpRequest,
  left: number,
): Promise<string[]> => {
  const tooMany = 2;
  // All at once: a limit that is checked first and counted later lets more through.
  const answers = await Promise.all(Array.from({ length: left + tooMany }, () => target.send(request)));
  const refused = answers.filter(({ status }) => status === 429);
  const accepted = answers.filter(({ status }) => status !== 429);
  return [
    ...(accepted.length === left
      ? []
      : [`${accepted.length} of ${answers.length} requests at once were let through instead of ${left}`]),
    ...refused.flatMap(retryFaults),
    ...countFaults(accepted, left),
  ];
};

/** A client that waits as long as it is told must be let in again: the window is a minute long. */
const retryFaults = ({ headers }: HttpAnswer): string[] => {
  const seconds = headers['retry-after'] ?? '';
  return /^([1-9]|[1-5]\d|60)$/.test(seconds)
    ? []
    : [`Retry-After of a 429 is "${seconds}" instead of 1 to 60`];
};

/** Each request that was let through took one from what is left. */
const countFaults = (accepted: readonly HttpAnswer[], count: number): string[] => {
  const told = accepted.map(({ headers }) => Number(headers['ratelimit-remaining'])).sort((a, b) => a - b);
  const expected = Array.from({ length: count }, (_, index) => index);
  return told.join() === expected.join()
    ? []
    : [`RateLimit-Remaining counted ${told.join(', ')} instead of ${expected.join(', ')}`];
};
