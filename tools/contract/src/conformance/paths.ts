import type { ContractModel } from '../contract.js';
import { jsonFields } from '../json.js';
import type { HttpAnswer } from '../request.js';
import { describeFaults, type Fault } from '../stage.js';
import { isExcuse, withKey } from '../target/keys.js';
import { requestOf } from '../target/sample.js';
import { goodSample, keyFor } from '../target/scenarioContext.js';
import { excerpt, statusFaults } from './answers.js';
import { inTurn } from '../target/turns.js';
import type { StatusCheck } from './statuses.js';

/** JSON says of what is not there what operations say of it, where any of them does. */
const missingFaults = ({ operations }: ContractModel, answer: HttpAnswer): Fault[] => {
  const codes = operations.flatMap(({ responses }) =>
    responses.flatMap(({ status, errorCode }) => (status === 404 ? (errorCode ?? []) : [])),
  );
  const { error, message } = jsonFields(answer.body);
  if (answer.body === undefined || codes.length === 0) return [];
  if (codes.includes(String(error)) && typeof message === 'string') return [];
  const text = `the body is ${excerpt(answer)}, without the error ${[...new Set(codes)].join(' or ')} and a message`;
  return [{ text, cause: 'the body of 404' }];
};

/** A path is what the contract says, letter by letter: nothing is found at another spelling of it. */
export const checkPath = async ({ contract, target, recorder }: StatusCheck, path: string): Promise<void> => {
  const operation = contract.operations.find((one) => one.path === path);
  const key = operation && keyFor({ contract, operation, target });
  if (!key || isExcuse(key)) return;
  const [exact = '', ...query] = requestOf(
    operation,
    goodSample({ contract, operation, target }),
  ).requestTarget.split(/(?=\?)/);
  for (const other of inTurn(contract, operation, [exact.toUpperCase(), `${exact}/`], 4)) {
    if (other === exact) continue;
    // GET changes nothing, should it be answered all the same.
    const request = { method: 'GET', requestTarget: [other, ...query].join(''), headers: [] };
    const sent = withKey(contract, request, key);
    const answer = await target.send(sent);
    const wrongStatus = statusFaults({ id: other }, [404], answer);
    const faults =
      wrongStatus.length > 0 || target.thirdParty ? wrongStatus : missingFaults(contract, answer);
    const tried = { name: `${other} is not ${path}` };
    if (faults.length === 0) recorder.passed(tried);
    else recorder.failed(tried, { ...describeFaults(faults), curl: target.curl(sent) });
  }
  if (!target.fixture || operation.method !== 'GET' || inTurn(contract, operation, [path], 4).length === 0)
    return;
  // A base address that ends in a slash makes two of them.
  const statusAt = async (spelling: string): Promise<[status: number, curl: string]> => {
    const request = { method: 'GET', requestTarget: [spelling, ...query].join(''), headers: [] };
    const sent = withKey(contract, request, key);
    return [(await target.send(sent)).status, target.curl(sent)];
  };
  const [single] = await statusAt(exact);
  const [doubled, curl] = await statusAt(exact.replaceAll('/', '//'));
  const tried = { name: `repeated slashes in ${path} count as one` };
  if (doubled === single) recorder.passed(tried);
  else recorder.failed(tried, { what: `the status is ${doubled} instead of ${single}`, curl });
};
