import { isSafe, type HttpRequest } from '../request.js';
import { isExcuse, withKey } from '../target/keys.js';
import { requestOf } from '../target/sample.js';
import { goodSample, headersOf, keyFor } from '../target/scenarioContext.js';
import type { StatusCheck } from './statuses.js';

const header = 'X-Request-Id';

/** Ids that clients may send, and such that no log line should hold. */
const sentIds = [
  'contract-run.1',
  'a:b_c-D.9',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(1_000),
  'two words',
  'a;b',
  'a"b',
  '{"a":1}',
  'caf\u00e9',
];

/** No two answers have the same id, unless the client chose it; those that the service keeps are answered again. */
export const checkRequestIds = async (
  { contract, target, recorder }: StatusCheck,
  kept: RegExp | undefined,
): Promise<void> => {
  const operation = contract.operations.find(
    (one) => isSafe(one.method) && headersOf(one, 200).some((name) => name === header),
  );
  const key = operation && keyFor({ contract, operation, target });
  if (!operation || !key || isExcuse(key)) return;
  const good = withKey(contract, requestOf(operation, goodSample({ contract, operation, target })), key);
  const note = (name: string, request: HttpRequest, what: string | undefined): void => {
    const tried = { name: `${header}: ${name}` };
    if (what === undefined) recorder.passed(tried);
    else
      recorder.failed(tried, {
        what,
        cause: `${header} ${name.replace(/^".*" of/, '')}`,
        curl: target.curl(request),
      });
  };
  const idOf = async (request: HttpRequest): Promise<string> =>
    String((await target.send(request)).headers[header.toLowerCase()]);
  const [first, second] = [await idOf(good), await idOf(good)];
  note('each request has another', good, first === second ? `two answers have "${first}"` : undefined);
  if (!kept) return;
  for (const id of sentIds) {
    const request = { ...good, headers: [...good.headers, [header, id] as const] };
    const found = await idOf(request);
    const isKept = found === id;
    const name = `"${id.slice(0, 80)}" of a client ${kept.test(id) ? 'is kept' : 'is replaced'}`;
    note(name, request, isKept === kept.test(id) ? undefined : `it is "${found}"`);
  }
};
