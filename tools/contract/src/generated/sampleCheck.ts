import { statusFaults, type AnswerCheck } from '../conformance/answers.js';
import { isSameJson, jsonFields } from '../json.js';
import type { HttpAnswer, HttpRequest } from '../request.js';
import type { Fault } from '../stage.js';
import { responseTo, type OperationModel } from '../document/operations.js';
import type { Cell } from '../coverage/cells.js';
import { BudgetSpent } from '../target/budget.js';
import { withKey, type Key } from '../target/keys.js';
import { requestOf, type Sample } from '../target/sample.js';
import { hintsOf, preparedRequest } from '../target/scenarioContext.js';
import type { ExchangeTimes, ScenarioContext } from '../target/target.js';
import { judgeSample, type OracleInput, type OracleVerdict } from './oracle/oracle.js';

/** Sends one sample, and says what is wrong with what came back. */
export type SampleCheck = (sample: Sample) => Promise<CheckedSample>;

export interface CheckedSample {
  /** As it was sent. */
  readonly request: HttpRequest;
  readonly faults: readonly Fault[];
}

export const makeSampleCheck = (
  context: ScenarioContext,
  key: Key,
  answers: AnswerCheck,
  seen: (cells: readonly Cell[]) => void,
): SampleCheck => {
  const { operation, target } = context;
  const faultsOf = async (sample: Sample, request: HttpRequest): Promise<Fault[]> => {
    const verdict = judgeSample(operation, sample);
    let answer: HttpAnswer;
    const sentAt = Date.now();
    try {
      answer = await target.send(request);
    } catch (error) {
      if (error instanceof BudgetSpent) throw error;
      return [{ text: `there was no answer: ${String(error)}`, cause: String(error) }];
    }
    const times = { sentAt, answeredAt: Date.now() };
    const messages = messagesFor(context, verdict);
    const expectation = messages && answer.status === 400 ? { messages } : {};
    const expected = expectedStatuses(context, verdict, answer);
    const faults = [
      ...statusFaults(operation, expected, answer, ` (${reasonFor(verdict)})`),
      ...answers.faults(operation, answer, expectation),
    ];
    if (faults.length > 0) return faults;
    seen(answers.shown(operation, answer));
    if (verdict.kind !== 'accepted') return [];
    return [
      ...echoFaults(context, verdict.input, answer),
      ...(await effectFaults(context, verdict.input, answer, times)),
    ];
  };
  return async (sample) => {
    // A service of the run refuses in the same way whatever it has, and what it needs takes long to make.
    const plain = target.thirdParty ? await preparedRequest(context, sample) : requestOf(operation, sample);
    const request = withKey(context.contract, plain, key);
    return { request, faults: await faultsOf(sample, request) };
  };
};

const reasonFor = (verdict: OracleVerdict): string => {
  switch (verdict.kind) {
    case 'accepted':
      return 'the contract accepts the request';
    case 'refused':
      return `the contract refuses ${verdict.field}`;
    case 'too large':
      return 'the body is larger than the contract allows';
    case 'open':
      return 'the contract leaves it open';
  }
};

/** Access, size and form are decided before; failures of the service itself are never right here. */
const notForAccepted = [400, 403, 405, 413, 415];
/** They are about a key, and that of a sample is good. Where none is needed, they are about a password, or its attempts. */
const notForGoodKey = [401, 429];

const expectedStatuses = (
  context: ScenarioContext,
  verdict: OracleVerdict,
  answer: HttpAnswer,
): readonly number[] => {
  const { outcomes, refusedWith = [] } = hintsOf(context);
  const { responses, security } = context.operation;
  if (context.target.thirdParty) return thirdPartyStatuses(context.operation, verdict, refusedWith);
  const excluded = security.length > 0 ? [...notForAccepted, ...notForGoodKey] : notForAccepted;
  // Of a range, or of the default, any status may come.
  const answered = responseTo(context.operation, answer.status) ? [answer.status] : [];
  const allowed = [...new Set([...responses.map(({ status }) => status), ...answered])].filter(
    (status) => status < 500 && !excluded.includes(status),
  );
  switch (verdict.kind) {
    case 'refused':
      return [400];
    case 'too large':
      return [413];
    case 'accepted':
      return outcomes?.(verdict.input, context) ?? (refusedWith.length > 0 ? [...allowed, 400] : allowed);
    case 'open':
      return [...allowed, 400];
  }
};

/** How a request is refused is not OpenAPI's matter; that the status is documented is held elsewhere. */
const thirdPartyStatuses = (
  operation: OperationModel,
  verdict: OracleVerdict,
  refusedWith: readonly string[],
): readonly number[] => {
  const refusals = Array.from({ length: 100 }, (_, index) => 400 + index);
  if (verdict.kind === 'refused' || verdict.kind === 'too large') return refusals;
  const documented = Array.from({ length: 300 }, (_, index) => 200 + index).filter((status) =>
    responseTo(operation, status),
  );
  const isSure = verdict.kind === 'accepted' && refusedWith.length === 0;
  return isSure ? documented.filter((status) => ![400, 405, 415].includes(status)) : documented;
};

/** What a 400 may say; undefined where the contract leaves that open, too. */
const messagesFor = (context: ScenarioContext, verdict: OracleVerdict): readonly string[] | undefined => {
  if (verdict.kind === 'refused') return verdict.texts;
  return verdict.kind === 'accepted' ? hintsOf(context).refusedWith : undefined;
};

/** A field of the answer that is called like one of the request shows its effective value. */
const echoFaults = (context: ScenarioContext, input: OracleInput, answer: HttpAnswer): Fault[] => {
  if (answer.status >= 300 || context.target.thirdParty) return [];
  const { id, requestBody } = context.operation;
  const { shownAs = {} } = hintsOf(context);
  const asked = requestBody?.schema?.properties ?? {};
  const shown = responseTo(context.operation, answer.status)?.body?.schema?.properties ?? {};
  return (
    Object.keys(asked)
      .filter((name) => shown[name] !== undefined && shown[name].type === asked[name]?.type)
      // What is in a list may have more fields than it was asked for with.
      .filter((name) => asked[name]?.items?.type !== 'object')
      .flatMap((name) => {
        const [given, found] = [jsonFields(input.body)[name], jsonFields(answer.body)[name]];
        const wanted = shownAs[name] ? shownAs[name](given) : given;
        if (wanted === undefined || isSameJson(wanted, found)) return [];
        const text = `${name} is ${inWords(found)} where the contract makes ${inWords(wanted)} of it`;
        return [{ text, cause: `${id} value of ${name}` }];
      })
  );
};

const effectFaults = async (
  context: ScenarioContext,
  input: OracleInput,
  answer: HttpAnswer,
  times: ExchangeTimes,
): Promise<Fault[]> => {
  const { id } = context.operation;
  const effects = await hintsOf(context).effects?.(input, answer, context, times);
  if (!effects) return [];
  if (!effects.found)
    return [{ text: 'what the answer speaks of can not be found', cause: `${id} without effect` }];
  const { wanted, found } = effects;
  return Object.keys(wanted)
    .filter((name) => !isSameJson(wanted[name], found[name]))
    .map((name) => ({
      text: `${name} took effect as ${inWords(found[name])} where the contract makes ${inWords(wanted[name])} of it`,
      cause: `${id} value of ${name}`,
    }));
};

/** Longer values are cut off. */
const longest = 200;

const inWords = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};
