import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { adding, findSite, startDevelopmentService } from '../../dev/developmentService.js';
import { changedContract, contractFile } from '../../support/contract.js';
import { forAllTests } from '../../support/fixture.js';
import { refusal, siteIdRequired, unauthorized } from '../../support/refusal.js';
import { send, startService } from '../../support/service.js';

const main = { id: 1, name: 'Hauptgebäude' };
const other = { id: 2, name: 'Nebengebäude' };
const missing = { error: 'not_found', message: 'Site nicht gefunden' };
const inUse = { error: 'not_found', message: 'Site wird gerade umgezogen' };

describe('in development an operation without a handler answers from its examples', () => {
  const developing = forAllTests(() => startDevelopmentService([adding(findSite)]), 'stop');
  const ask = (prefer?: string) =>
    developing.get('/site.php?site_id=1', prefer === undefined ? {} : { Prefer: prefer });

  test('by default with the lowest 2xx and its first example, and X-Mock: true', async () => {
    const answer = await ask();
    expect(answer).toMatchObject({ status: 200, body: main });
    expect(answer.headers['x-mock']).toBe('true');
    expect(answer.headers).not.toHaveProperty('preference-applied');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each([
    ['code=404', 404, missing, 'code=404'],
    ['code="404"', 404, missing, 'code=404'],
    ['CODE = 404', 404, missing, 'code=404'],
    ['example=other', 200, other, 'example=other'],
    ['example="in use"', 404, inUse, 'example="in use"'],
    ['code=404, example="in use"', 404, inUse, 'code=404, example="in use"'],
    ['example="in use"; strict, code=404', 404, inUse, 'example="in use", code=404'],
    ['respond-async, wait=10;x="a,b", code=404', 404, missing, 'code=404'],
    ['code=404, code=200', 404, missing, 'code=404'],
  ])('Prefer: %s chooses', async (prefer, status, body, applied) => {
    const answer = await ask(prefer);
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers['preference-applied']).toBe(applied);
  });

  test('several Prefer headers count as one', async () => {
    const answer = await developing.get('/site.php?site_id=1', { Prefer: ['code=404', 'example="in use"'] });
    expect(answer).toMatchObject({ status: 404, body: inUse });
  });

  test('preferences that are none of ours, or none at all, change nothing', async () => {
    for (const prefer of ['wait=10', '', ',;=', 'return=minimal; code=404', '"code=404"'])
      expect(await ask(prefer)).toMatchObject({ status: 200, body: main });
  });

  test('a status without an example is made from its schema', async () => {
    const { status, body } = await ask('code=202');
    expect(status).toBe(202);
    expect(body).toEqual({ id: 1, name: expect.any(String) });
  });

  test('a status without a body has none', async () => {
    expect(await ask('code=204')).toMatchObject({ status: 204, text: '' });
  });

  test('documented headers come with their examples, unless they are written as not required', async () => {
    const { headers } = await ask('code=404');
    expect(headers['retry-after']).toBe('42');
    expect(headers).not.toHaveProperty('x-sometimes');
    expect((await ask()).headers['ratelimit-limit']).toBe('60');
  });

  test('an answer with a documented ETag has one, and answers 304 to it', async () => {
    const { etag } = (await ask()).headers;
    const again = await developing.get('/site.php?site_id=1', { 'If-None-Match': etag! });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect((await ask('example=other')).headers.etag).not.toBe(etag);
  });

  test('a status that the contract does not have gives 400, which lists those it has', async () => {
    const answer = await ask('code=418');
    expect(answer).toMatchObject(
      refusal(400, 'invalid_request', 'Prefer: findSite has no code=418, but: 200, 202, 204, 400, 401, 404'),
    );
    expect(answer.headers['x-mock']).toBe('true');
  });

  test('an example that the contract does not have gives 400, which lists those it has', async () => {
    expect(await ask('example=third')).toMatchObject(
      refusal(
        400,
        'invalid_request',
        'Prefer: findSite has no example=third, but: main, other, missing, in use',
      ),
    );
    expect(await ask('code=404, example=main')).toMatchObject(
      refusal(400, 'invalid_request', 'Prefer: findSite 404 has no example=main, but: missing, in use'),
    );
  });

  test('input is validated as usual', async () => {
    const answer = await developing.get('/site.php?site_id=none', { Prefer: 'code=404' });
    expect(answer).toMatchObject(siteIdRequired);
    expect(answer.headers['x-mock']).toBe('true');
  });

  test('keys are checked as usual', async () => {
    expect(await send(developing.service.url, 'GET', '/site.php?site_id=1')).toMatchObject(unauthorized);
  });

  test('an operation with a handler does not look at Prefer', async () => {
    const answer = await developing.get('/sites.php', { Prefer: 'code=500' });
    expect(answer).toMatchObject({ status: 200, body: { sites: [] } });
    expect(answer.headers).not.toHaveProperty('x-mock');
  });
});

test("a key's own limit takes the place of the examples of its headers", async () => {
  const developing = await startDevelopmentService([adding(findSite)], { rateLimit: 7 });
  const { headers } = await developing.get('/site.php?site_id=1');
  await developing.stop();
  expect(headers['ratelimit-limit']).toBe('7');
  expect(headers['ratelimit-remaining']).toBe('6');
});

test('in production an operation without a handler is an error at start that names it and its place', async () => {
  const contract = changedContract(adding(findSite));
  const start = startService({ contractFile: contract.file, env: { NODE_ENV: 'production' } });
  await expect(start).rejects.toThrow(/openapi\.yaml:\d+:\d+: findSite has no handler$/);
  contract.remove();
});

test('in production a handler without an operation is an error at start that names it', async () => {
  const [listSites] = /^ {2}\/sites\.php:\n(?: {4}.*\n|\n)*/m.exec(readFileSync(contractFile, 'utf8')) ?? [
    '',
  ];
  const contract = changedContract([listSites, '']);
  await expect(startService({ contractFile: contract.file })).rejects.toThrow(
    'Unknown operationId listSites',
  );
  contract.remove();
});
