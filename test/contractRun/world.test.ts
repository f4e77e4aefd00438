import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseContract, type Contract } from '../../scripts/contract/contract.js';
import { makeClient } from '../../scripts/contract/request.js';
import { startWorld, type Provocation } from '../../scripts/contract/world.js';
import { startOwnService, type OwnService } from '../../scripts/contract/world/own/service.js';
import { worldOf } from '../../scripts/contract/world/own/world.js';
import { makeFolder } from '../support/folder.js';
import { contract, optionsOf } from './worlds.js';

describe('a service of the run', () => {
  test('leaves nothing behind when it is closed, however often', async () => {
    const folder = await makeFolder();
    const service = await startOwnService(folder.path);
    const world = worldOf(contract, service);
    const ask = { method: 'GET', target: '/openapi.php', headers: [] };
    try {
      const { client } = await service.inside.broken();
      expect([(await world.send(ask)).status, (await client.send(ask)).status]).toEqual([200, 200]);
      expect(await readdir(folder.path)).toHaveLength(2);
    } finally {
      await world.close();
      await Promise.all([service.close(), service.close()]);
    }
    await expect(makeClient(service.url).send(ask)).rejects.toThrow('ECONNREFUSED');
    expect(await readdir(folder.path)).toEqual([]);
    await folder.remove();
  });

  test('is what a run without --url starts, and ends with its world', async () => {
    const world = await startWorld(contract, optionsOf());
    const ask = { method: 'GET', target: '/openapi.php', headers: [] };
    expect((await world.send(ask)).status).toBe(200);
    await world.close();
    await expect(makeClient(world.url).send(ask)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('provocations', () => {
  let service: OwnService;

  beforeAll(async () => {
    service = await startOwnService();
  });
  afterAll(() => service.close());

  const provoke = (part: Contract, operationId: string, status: number): Provocation => {
    const world = worldOf(part, service);
    return world.provoke(operationId, status);
  };

  test('every status of every operation can be reached', () => {
    for (const { id, responses } of contract.operations) {
      for (const { status } of responses) {
        expect([id, status, provoke(contract, id, status)]).toEqual([
          id,
          status,
          { ways: expect.arrayContaining([expect.objectContaining({ how: expect.any(String) })]) },
        ]);
      }
    }
  });

  test('a new operation needs no code for what follows from the contract', () => {
    const added = parseContract(
      contract.source.replace(
        'paths:\n',
        `paths:
  /sites/{id}:
    put:
      operationId: renameSite
      x-scope: write
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 1, x-lenient: true }, example: 1 }
      requestBody:
        required: true
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
        '413': { description: More than 1 KiB }
        '429': { $ref: '#/components/responses/RateLimited' }
        '500': { $ref: '#/components/responses/ServerError' }
`,
      ),
    );
    const reachable = added
      .operation('renameSite')
      .responses.map(({ status }) => [status, Object.keys(provoke(added, 'renameSite', status))[0]]);
    expect(reachable).toEqual([
      [200, 'ways'],
      [400, 'ways'],
      [401, 'ways'],
      [403, 'ways'],
      [404, 'unknown'],
      [405, 'ways'],
      [413, 'ways'],
      [429, 'ways'],
      [500, 'ways'],
    ]);
  });
});
