import { expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { examples } from '../../tools/contract/src/examples/examples.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import type { ContractResult } from '../../tools/contract/src/run/results.js';
import { security } from '../../tools/contract/src/security/security.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import {
  sessionContract,
  startSessionService,
  type SessionDefects,
  type SessionRules,
} from './sessionService.js';
import { casesOf, failuresOf, optionsOf, runStagesAlone } from './stageRun.js';

const runOn = async (
  stages: readonly Stage[],
  defects?: SessionDefects,
  rules?: SessionRules,
  operationId?: string,
): Promise<ContractResult> => {
  const service = await startSessionService(defects, rules);
  const operations = sessionContract.operations.filter(({ id }) => id === (operationId ?? id));
  const contract = { ...sessionContract, operations };
  const target = localTargetOn(contract, service);
  try {
    return await runStagesAlone(stages, {
      served: service.served,
      contract,
      options: optionsOf(),
      target: () => Promise.resolve(target),
    });
  } finally {
    await target.close();
    await service.close();
  }
};

test('a contract with sessions, roles, other media types and endless streams is tried as a whole', async () => {
  const result = await runOn([examples, conformance, generated, security]);
  expect(failuresOf(result)).toEqual({});
  const untested = result.coverage.cells.filter(({ state }) => state !== 'tested');
  expect(untested).toEqual([]);
  const names = casesOf(result).map(({ name }) => name);
  for (const name of [
    'signIn 401 with a wrong password',
    'signOut 204 with the request of the example',
    'signOut 403 with Sec-Fetch-Site: cross-site',
    'listUsers 403 with a key of the scope staff',
    'exportVouchers 200 with the example of query as',
    'watchEvents 200 with the request of the example',
    'getMe: a key of the scope admin in Cookie is let in',
    'listUsers: a revoked key in Cookie gives 401',
    'signIn: a request with Origin: https://elsewhere.example gives 403',
  ])
    expect(names).toContain(name);
});

test('requests of other sites, ignored roles, wrong texts and streams without events are found', async () => {
  const defects: SessionDefects = {
    acceptsOtherSites: true,
    ignoresRoles: true,
    csv: 'id\r\n1\r\n',
    event: '{"order":1}\n\n',
  };
  const failures = failuresOf(await runOn([conformance], defects));
  expect(failures).toMatchObject({
    'signIn 403 with Sec-Fetch-Site: cross-site': expect.stringContaining('the status is 204 instead of 403'),
    'listUsers 403 with a key of the scope staff': expect.stringContaining(
      'the status is 200 instead of 403',
    ),
    'exportVouchers 200 with the example of query as': expect.stringContaining(
      'the body does not fit its schema: the value must match pattern',
    ),
    'watchEvents 200 with the request of the example': expect.stringContaining(
      'the body is no stream of events',
    ),
  });
});

test('generated requests to sign in may be refused: of unknown users, or after some attempts', async () => {
  for (const rules of [{ users: [] }, { maxAttempts: 3 }] satisfies SessionRules[])
    expect(failuresOf(await runOn([generated], {}, rules, 'signIn'))).toEqual({});
});

test('a generated request with a good session that gets 401 is found', async () => {
  const result = await runOn([generated], { forgetsSessions: true }, {}, 'getMe');
  expect(Object.values(failuresOf(result))).toContainEqual(
    expect.stringContaining('the status is 401 instead of 200'),
  );
});

test('no session is shown in what is reported', async () => {
  const service = await startSessionService({ ignoresRoles: true, acceptsOtherSites: true });
  const target = localTargetOn(sessionContract, service);
  const result = await runStagesAlone([conformance, security], {
    served: service.served,
    contract: sessionContract,
    options: optionsOf(),
    target: () => Promise.resolve(target),
  });
  await target.close();
  await service.close();
  const said = JSON.stringify(result);
  expect(said).toContain(`-H 'Cookie: sid='\\"$KEY\\"`);
  const tokens = service.keys.all().map((key) => key.text());
  // More than at the start: sessions ended, and others took their place.
  expect(tokens.length).toBeGreaterThan(5);
  for (const token of tokens) expect(said.includes(token)).toBe(false);
});
