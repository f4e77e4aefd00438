import { fieldNamesIn } from '../coverage/fields.js';
import type { Example } from '../document/examples.js';
import { jsonFields } from '../document/json.js';
import type { Sending } from './requests.js';
import { compareShapes } from './shape.js';

/** Holds the example of a response against a real answer with its status. */
export const compareResponse = async (
  { contract, target, recorder }: Omit<Sending, 'seed'>,
  example: Example & { readonly status: number },
): Promise<void> => {
  const { operationId, title, status, schema } = example;
  const tried = { name: `${operationId} ${title}: the example looks like a real answer`, operationId };
  const plan = target.planFor(operationId, status);
  if (!('scenarios' in plan)) {
    recorder.skipped(tried, 'excuse' in plan ? plan.excuse : plan.unknown);
    return;
  }
  const [scenario] = plan.scenarios;
  if (!scenario) {
    recorder.skipped(tried, `there is no way to ${status}`);
    return;
  }
  const { request, answer } = await scenario.send();
  const faults =
    answer.status === status
      ? [...compareShapes(example.value, answer.body, schema), ...compareCodes(example, answer.body)]
      : [`the service answers ${answer.status} instead: ${answer.text.slice(0, 300)}`];
  if (faults.length > 0) {
    const what = `${scenario.how}: ${faults.join('; ')}`;
    recorder.failed(tried, { what, at: contract.at(example.pointer), curl: target.curl(request) });
    return;
  }
  recorder.passed(tried);
  recorder.covered({ operationId, kind: 'status', name: String(status) });
  for (const name of fieldNamesIn(schema, answer.body)) {
    recorder.covered({ operationId, kind: 'field', name: `${status} ${name}` });
  }
};

/** Clients look at the code of an error; the example must show the one they will see. */
const compareCodes = ({ status, value }: Example, actual: unknown): string[] => {
  const [shown, sent] = [jsonFields(value)['error'], jsonFields(actual)['error']];
  if (status === undefined || status < 400 || shown === sent) return [];
  return [`the error is ${JSON.stringify(shown)} in the example and ${JSON.stringify(sent)} in the answer`];
};
