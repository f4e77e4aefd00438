import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { credentials, headerText } from './access.js';
import { oddHeaders } from './headers.js';
import { runs, startFuzzed, type Fuzzed } from './setup.js';

let fuzzed: Fuzzed;

beforeAll(async () => {
  fuzzed = await startFuzzed();
});
afterAll(() => fuzzed.stop());

/** What a client can put behind the question mark without breaking the request line. */
const queries = fc.oneof(
  fc.constantFrom('', '?', '?site_id=1', '?__proto__[x]=1', '?%', '?a=%ff', '??', `?${'a&'.repeat(1500)}`),
  fc.webQueryParameters().map((query) => `?${query}`),
  fc
    .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    .map((text) => `?${text.replaceAll('#', '')}`),
);

test('every answer of listSites is documented and lists the active sites by name', async () => {
  const { service, client, keys, sites, names, expectDocumented } = fuzzed;
  const etag = (await service.get('/sites.php', { key: keys.read })).headers.etag!;
  const request = fc.record({
    access: credentials(keys),
    query: queries,
    condition: fc.option(fc.oneof(fc.constantFrom('*', etag, `W/${etag}`, `"a" , ${etag}`), headerText), {
      freq: 2,
      nil: undefined,
    }),
    headers: oddHeaders,
    body: fc.option(fc.uint8Array({ maxLength: 50 }), { freq: 10, nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ access, query, condition, headers, body }) => {
      const conditions = condition === undefined ? [] : [['If-None-Match', condition] as const];
      const answer = await client.send({
        method: 'GET',
        path: `/sites.php${query}`,
        headers: [...access.headers, ...conditions, ...headers],
        body,
      });
      expectDocumented('listSites', answer);
      if (access.standing === 'limited' && answer.status === 429) return;
      if (access.standing === 'none') {
        expect(answer.status).toBe(401);
      } else if (condition !== undefined && (condition.trim() === '*' || condition.includes(etag))) {
        expect(answer.status).toBe(304);
      } else {
        expect(answer.status).toBe(200);
        const listed = sites.active.map((id) => ({ id, name: names.get(id) }));
        expect(JSON.parse(answer.text)).toEqual({ sites: listed });
      }
    }),
    runs(),
  );
});

test('any other method on any of the paths is 405, and 401 without a key', async () => {
  const { client, keys } = fuzzed;
  const request = fc.record({
    method: fc.constantFrom(
      'PUT',
      'PATCH',
      'DELETE',
      'HEAD',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'PURGE',
      'QUERY',
    ),
    path: fc.constantFrom('/sites.php', '/vouchers.php', '/vouchers.php?site_id=1'),
    access: credentials(keys).filter(({ standing }) => standing !== 'limited'),
    headers: oddHeaders,
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, access, headers }) => {
      const answer = await client.send({ method, path, headers: [...access.headers, ...headers] });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers).toHaveProperty('x-request-id');
      expect(answer.status).toBe(access.standing === 'none' ? 401 : 405);
      if (answer.status !== 405) return;
      expect(answer.headers.allow).toBe(path === '/sites.php' ? 'GET' : 'GET, POST');
      if (method !== 'HEAD') expect(JSON.parse(answer.text)).toEqual({ error: 'method_not_allowed' });
    }),
    runs(1 / 4),
  );
});
