import type { ContractModel } from '../contract.js';
import { fieldNamesIn } from '../coverage/fields.js';
import type { Example } from '../document/examples.js';
import { isJson } from '../document/json.js';
import type { OperationModel } from '../document/types.js';
import { isSafe, type HttpRequest } from '../request.js';
import type { Recorder } from '../stage.js';
import { withKey } from '../target/keys.js';
import { exampleSample, requestOf, type Sample } from '../target/sample.js';
import type { Target } from '../target/target.js';

export interface Sending {
  readonly contract: ContractModel;
  readonly target: Target;
  readonly recorder: Recorder;
  readonly seed: number;
}

/** Sends a request with the example in it; a client that copies it must succeed. */
export const sendExample = async (sending: Sending, example: Example): Promise<void> => {
  const { contract, target, recorder } = sending;
  const operation = contract.operation(example.operationId);
  const tried = {
    name: `${operation.id} ${example.title}: a request with the example succeeds`,
    operationId: operation.id,
  };
  if (!isSafe(operation.method) && !target.allowWrites) {
    recorder.skipped(
      tried,
      `needs --allow-writes: ${operation.method} ${operation.path} may create something`,
    );
    return;
  }
  const key = target.keys.permitting(operation.scope);
  if ('excuse' in key) {
    recorder.skipped(tried, key.excuse);
    return;
  }
  const request: HttpRequest = withKey(
    contract,
    requestOf(operation, sampleWith(sending, operation, example)),
    key,
  );
  const { status, text } = await target.send(request);
  if (status < 200 || status > 299) {
    recorder.failed(tried, {
      what: `The service answers ${status}: ${text.slice(0, 300)}`,
      at: contract.at(example.pointer),
      curl: target.curl(request),
    });
    return;
  }
  recorder.passed(tried);
  cover(recorder, operation, example);
};

const cover = (
  recorder: Recorder,
  { id: operationId }: OperationModel,
  { kind, subject, schema, value }: Example,
): void => {
  if (kind === 'parameter') {
    recorder.covered({ operationId, kind: 'parameter', name: subject });
    return;
  }
  for (const name of fieldNamesIn(schema, value)) {
    recorder.covered({ operationId, kind: 'field', name: `body ${name}` });
  }
};

/** A key that names one single request is another one in each run, or a service that remembers it would refuse. */
const once = /^idempotency-key$/i;

const sampleWith = ({ target, seed }: Sending, operation: OperationModel, example: Example): Sample => {
  const { substitutions } = target;
  const sample = exampleSample(operation, substitutions);
  const value = substituted(example, substitutions);
  if (example.kind === 'request') return { ...sample, body: JSON.stringify(value) };
  const parameter = operation.parameters.find((one) => `${one.in} ${one.name}` === example.subject);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const pair = [example.name, once.test(example.name) ? `${text}-${seed}` : text] as const;
  const others = (pairs: Sample['query']): Sample['query'] => pairs.filter(([name]) => name !== example.name);
  switch (parameter?.in) {
    case 'path':
      return { ...sample, path: { ...sample.path, [pair[0]]: pair[1] } };
    case 'header':
      return { ...sample, headers: [...others(sample.headers), pair] };
    default:
      return { ...sample, query: [...others(sample.query), pair] };
  }
};

/** Ids of the contract's examples are those of other places. */
const substituted = ({ kind, name, value }: Example, substitutions: Target['substitutions']): unknown => {
  if (kind === 'parameter') return Object.hasOwn(substitutions, name) ? substitutions[name] : value;
  if (!isJson(value)) return value;
  const known = Object.entries(substitutions).filter(([field]) => field in value);
  return { ...value, ...Object.fromEntries(known) };
};
