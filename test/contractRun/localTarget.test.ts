import { readdir } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { parseContractModel, type ContractModel } from '../../tools/contract/src/contract.js';
import { servedContracts } from '../scenarios/servedContracts.js';
import { jsonFields } from '../../tools/contract/src/json.js';
import { makeHttpClient } from '../../tools/contract/src/request.js';
import { isExcuse, withKey } from '../../tools/contract/src/target/keys.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import { startTarget } from '../scenarios/startTarget.js';
import { type ScenarioPlan } from '../../tools/contract/src/target/target.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';
import { contract, optionsOf } from './stageRun.js';

describe('a service of the run', () => {
  test('leaves nothing behind when it is closed, however often', async () => {
    const folder = await makeFolder();
    const service = await startLocalServiceInProcess({ within: folder.path });
    const target = localTargetOn(contract, service);
    const ask = { method: 'GET', requestTarget: '/openapi.php', headers: [] };
    try {
      const { client } = await service.fixture.broken();
      expect([(await target.send(ask)).status, (await client.send(ask)).status]).toEqual([200, 200]);
      expect(await readdir(folder.path)).toHaveLength(2);
    } finally {
      await target.close();
      await Promise.all([service.close(), service.close()]);
    }
    await expect(makeHttpClient(service.url).send(ask)).rejects.toThrow('ECONNREFUSED');
    expect(await readdir(folder.path)).toEqual([]);
    await folder.remove();
  });

  test('is what a run without --url starts, and ends with its target', async () => {
    const target = await startTarget(servedContracts[0], contract, optionsOf());
    const ask = { method: 'GET', requestTarget: '/openapi.php', headers: [] };
    expect((await target.send(ask)).status).toBe(200);
    await target.close();
    await expect(makeHttpClient(target.url).send(ask)).rejects.toThrow('ECONNREFUSED');
  });
});

test('a created voucher is found on the controller of every site that answers with a code', async () => {
  const service = await startLocalServiceInProcess();
  const client = makeHttpClient(service.url);
  const key = service.keys.permitting('write');
  if (isExcuse(key)) throw new Error(key.excuse);
  try {
    const found = new Map<string, boolean>();
    for (const [site_id, site] of service.fixture.siteNames) {
      const body = JSON.stringify({ site_id, name: 'Gast' });
      const order = {
        method: 'POST',
        requestTarget: '/vouchers.php',
        headers: [['Content-Type', 'application/json'] as const],
        body,
      };
      const { status, body: answer } = await client.send(withKey(contract, order, key));
      if (status !== 201) continue;
      const { code } = jsonFields(answer);
      found.set(site, (await service.fixture.madeVoucher(String(code))) !== undefined);
    }
    expect([...found.values()].every(Boolean)).toBe(true);
    // Its controller answers without the voucher's id.
    expect(found.get('Haus 9')).toBe(true);
  } finally {
    client.close();
    await service.close();
  }
});

describe('provocations', () => {
  const service = forAllTests(startLocalServiceInProcess, 'close');

  const planFor = (part: ContractModel, operationId: string, status: number): ScenarioPlan => {
    const target = localTargetOn(part, service);
    return target.planFor(operationId, status);
  };

  test('every status of every operation can be reached', () => {
    for (const { id, responses } of contract.operations) {
      for (const { status } of responses) {
        expect([id, status, planFor(contract, id, status)]).toEqual([
          id,
          status,
          { scenarios: expect.arrayContaining([expect.objectContaining({ how: expect.any(String) })]) },
        ]);
      }
    }
  });

  test('a new operation needs no code for what follows from the contract', () => {
    const added = parseContractModel(
      contract.source.replace(
        'paths:\n',
        `paths:
  /places/{id}:
    put:
      operationId: renameSite
      x-scope: write
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 1, x-lenient: true }, example: 1 }
      requestBody:
        required: true
        x-max-bytes: 1024
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties: { name: { type: string, minLength: 1 } }
            example: { name: Altbau }
      responses:
        '200': { description: Renamed }
        '400': { $ref: '#/components/responses/InvalidRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { description: The key lacks the scope }
        '404': { description: There is no such site }
        '405': { description: Not this way }
        '413': { description: Too large }
        '429': { $ref: '#/components/responses/RateLimited' }
        '500': { $ref: '#/components/responses/ServerError' }
`,
      ),
    );
    const reachable = added
      .operation('renameSite')
      .responses.map(({ status }) => [status, Object.keys(planFor(added, 'renameSite', status))[0]]);
    expect(reachable).toEqual([
      [200, 'scenarios'],
      [400, 'scenarios'],
      [401, 'scenarios'],
      [403, 'scenarios'],
      [404, 'scenarios'],
      [405, 'scenarios'],
      [413, 'scenarios'],
      [429, 'scenarios'],
      [500, 'scenarios'],
    ]);
  });
});
