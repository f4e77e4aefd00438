import { afterEach, beforeAll, afterAll, describe, expect, jest, test } from '@jest/globals';
import { OpenAPIRouter } from 'openapi-backend';
import { startContractServer, type ContractServer } from '../../support/contractServer.js';
import { send } from '../../support/service.js';
import { contract, indent, ok, operation, parameters, type HandlerRequest } from '../feature.js';

/** A path with the operations of its methods, by operationId. */
const path = (template: string, operations: Readonly<Record<string, string>>): string => {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const inPath = names.map((name) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`);
  const written = Object.entries(operations).map(
    ([method, id]) =>
      `  ${method}:\n${indent(operation(id, inPath.length > 0 ? parameters(...inPath) : ''), 4)}`,
  );
  return `${template}:\n${written.join('\n')}`;
};

const source = contract(
  [
    path('/sites', { get: 'listSites' }),
    path('/sites/mine', { get: 'getOwnSites' }),
    path('/sites/{id}', { get: 'getSite', delete: 'removeSite' }),
    path('/sites/{id}/{part}', { get: 'getPart', put: 'putPart' }),
    path('/sites/{id}/logo.{type}', { get: 'getLogo' }),
    path('/ranges/{from}..{to}', { get: 'getRange' }),
    path('/sites/{id}/files/{year}/re{name}', { get: 'getFile' }),
    path('/sites/{id}/files/{year}/report-{from}-{to}', { get: 'getReport' }),
  ].join('\n'),
);

let server: ContractServer;
beforeAll(async () => {
  const ids = [...source.matchAll(/operationId: (\w+)/g)].map(([, id = '']) => id);
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

describe('the router of openapi-backend', () => {
  test.each([
    ['/sites', 'listSites', {}, '/sites'],
    ['/sites/7', 'getSite', { id: '7' }, '/sites/{id}'],
  ])('finds %s', async (path, id, values, template) => {
    const matched = matching();
    expect(await send(server.url, 'GET', path)).toMatchObject(ok([id, values]));
    expect(matched.mock.results.map(({ value }) => (value as { path: string }).path)).toEqual([template]);
  });

  test.each(['/sites', '/sites/7'])('is the only one: without it %s has no answer', async (path) => {
    matching().mockReturnValue(undefined as never);
    expect(await send(server.url, 'GET', path)).toMatchObject({ status: 404 });
  });

  test('compares a path only with those that have as many segments', async () => {
    const matched = matching();
    expect(await send(server.url, 'GET', '/sites/7/8/9')).toMatchObject({ status: 404 });
    expect(matched).not.toHaveBeenCalled();
    await send(server.url, 'GET', '/sites/7/logo.png');
    expect(matched).toHaveBeenCalled();
  });
});

test('a path that the contract has as it was sent belongs to no template', async () => {
  expect(await send(server.url, 'DELETE', '/sites/7')).toMatchObject(ok(['removeSite', { id: '7' }]));
  expect(await send(server.url, 'GET', '/sites/mine')).toMatchObject(ok(['getOwnSites', {}]));
  expect(await send(server.url, 'DELETE', '/sites/mine')).toMatchObject({
    status: 405,
    headers: { allow: 'GET' },
  });
});

describe('of two templates that match a path', () => {
  test('the one with more text has it', async () => {
    expect(await send(server.url, 'GET', '/sites/7/logo.png')).toMatchObject(
      ok(['getLogo', { id: '7', type: 'png' }]),
    );
    expect(await send(server.url, 'GET', '/sites/7/logo')).toMatchObject(
      ok(['getPart', { id: '7', part: 'logo' }]),
    );
  });

  test('so does one with several parameters between two slashes', async () => {
    expect(await send(server.url, 'GET', '/sites/7/files/2026/report-5-8')).toMatchObject(
      ok(['getReport', { id: '7', year: '2026', from: '5', to: '8' }]),
    );
    expect(await send(server.url, 'GET', '/sites/7/files/2026/report-5')).toMatchObject(
      ok(['getFile', { id: '7', year: '2026', name: 'port-5' }]),
    );
  });

  test('the other has the methods that only it knows', async () => {
    expect(await send(server.url, 'PUT', '/sites/7/logo.png')).toMatchObject(
      ok(['putPart', { id: '7', part: 'logo.png' }]),
    );
    expect(await send(server.url, 'POST', '/sites/7/logo.png')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, PUT' },
    });
  });
});

test('several parameters between two slashes are one to its regular expressions, which could take long', async () => {
  const matched = matching();
  expect(await send(server.url, 'GET', '/ranges/3..17')).toMatchObject(
    ok(['getRange', { from: '3', to: '17' }]),
  );
  expect(matched.mock.results.map(({ value }) => (value as { path: string }).path)).toEqual([
    '/ranges/{divided}',
  ]);
  expect(await send(server.url, 'GET', '/ranges/3.17')).toMatchObject({ status: 404 });
});
