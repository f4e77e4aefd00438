import { afterEach, beforeAll, afterAll, describe, expect, jest, test } from '@jest/globals';
import { OpenAPIRouter } from 'openapi-backend';
import { startContractServer, type ContractServer } from '../../support/contractServer.js';
import { send } from '../../support/service.js';
import { contract, get, ok, parameters, type HandlerRequest } from '../feature.js';

const idOf = (...names: string[]): string =>
  parameters(...names.map((name) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`));

const source = contract(
  [
    get('/sites', 'listSites', ''),
    get('/sites/{id}', 'getSite', idOf('id')),
    get('/sites/{id}/{part}', 'getPart', idOf('id', 'part')),
    get('/sites/{id}/logo.{type}', 'getLogo', idOf('id', 'type')),
  ].join('\n'),
);

let server: ContractServer;
beforeAll(async () => {
  const ids = ['listSites', 'getSite', 'getPart', 'getLogo'];
  const handlers = Object.fromEntries(
    ids.map((id) => [id, async ({ input, reply }: HandlerRequest) => reply(200, [id, input['path']])]),
  );
  server = await startContractServer({ source, handlers });
});
afterAll(async () => {
  await server.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const matching = () => jest.spyOn(OpenAPIRouter.prototype, 'matchOperation');

describe('a path with parameters', () => {
  test('is found by the router of openapi-backend', async () => {
    const matched = matching();
    expect(await send(server.url, 'GET', '/sites/7')).toMatchObject(ok(['getSite', { id: '7' }]));
    expect(matched.mock.results.map(({ value }) => (value as { path: string }).path)).toContain(
      '/sites/{id}',
    );
  });

  test('has no answer without it', async () => {
    matching().mockReturnValue(undefined as never);
    expect(await send(server.url, 'GET', '/sites/7')).toMatchObject({ status: 404 });
    expect(await send(server.url, 'GET', '/sites')).toMatchObject({ status: 200 });
  });

  test('is compared only with those that have as many segments', async () => {
    const matched = matching();
    expect(await send(server.url, 'GET', '/sites/7/8/9')).toMatchObject({ status: 404 });
    expect(matched).not.toHaveBeenCalled();
    await send(server.url, 'GET', '/sites/7/logo.png');
    expect(matched).toHaveBeenCalled();
  });

  test('that two paths match belongs to the one with more text', async () => {
    expect(await send(server.url, 'GET', '/sites/7/logo.png')).toMatchObject(
      ok(['getLogo', { id: '7', type: 'png' }]),
    );
    expect(await send(server.url, 'GET', '/sites/7/logo')).toMatchObject(
      ok(['getPart', { id: '7', part: 'logo' }]),
    );
  });
});

test('a path without parameters is looked up in a table', async () => {
  const matched = matching();
  expect(await send(server.url, 'GET', '/sites')).toMatchObject(ok(['listSites', {}]));
  expect(matched).not.toHaveBeenCalled();
});
