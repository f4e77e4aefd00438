import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/contract.js';
import { editText, readSource } from '../../src/contract/source.js';
import { withApi } from '../support/api.js';
import { contractFile } from '../support/contract.js';

const api = withApi();

test('/openapi.yaml is the whole contract as the designer wrote it, with servers[0].url set', async () => {
  const { status, headers, text } = await api.get('/openapi.yaml');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/yaml; charset=utf-8');
  expect((parse(text) as { servers: unknown }).servers).toEqual([{ url: api.url }]);
  const written = readFileSync(contractFile, 'utf8');
  const lines = (yaml: string): string[] => yaml.split('\n').filter((line) => !line.includes('<<: *'));
  expect(lines(written).filter((line) => !lines(text).includes(line))).toEqual([
    '  - url: http://localhost:3000',
  ]);
});

test('a reader of YAML that knows no merge keys reads the same contract from /openapi.yaml', async () => {
  const { text } = await api.get('/openapi.yaml');
  const servers = [{ url: api.url }];
  const written = readFileSync(contractFile, 'utf8');
  expect(written).toContain('<<: *response-headers');
  expect(parse(text)).toEqual({ ...parse(written, { merge: true }), servers });
});

test.each([
  ['on lines', 'a:\n  own: 1\n  <<: *shared\n  last: 2', { own: 1, other: { of: [2] }, last: 2 }],
  ['in braces', 'a: { <<: *shared, last: 2 }', { own: 0, other: { of: [2] }, last: 2 }],
  ['alone', 'a:\n  <<: *shared', { own: 0, other: { of: [2] } }],
])('a merge key %s is replaced by the fields that the object has not itself', (_, yaml, expected) => {
  const text = `x: &shared\n  own: 0\n  other:\n    of: [2]\n${yaml}\n`;
  const source = readSource(text, 'openapi.yaml');
  expect(source.document).toMatchObject({ a: expected });
  expect(parse(editText(text, source.mergeKeys()))).toMatchObject({ a: expected });
});

test('every response of every operation has the headers that all have, 401 but the limits', () => {
  const { operations } = loadContract(contractFile);
  const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
  const missing = [...operations.values()].flatMap(({ id, definition }) =>
    Object.entries(definition.responses).flatMap(([status, { headers = {} }]) =>
      ['X-Request-Id', ...(status === '401' ? [] : limits)]
        .filter((name) => !(name in headers))
        .map((name) => `${id} ${status} ${name}`),
    ),
  );
  expect(missing).toEqual([]);
});

test.each(['/openapi.php', '/openapi.yaml'])(
  '%s performs no API-key check and no rate limiting',
  async (path) => {
    const key = await api.addKey({ rateLimit: 1 });
    for (const options of [{}, { key }, { key }, { key: 'invalid' }]) {
      const { status, headers } = await api.get(path, options);
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('ratelimit-limit');
    }
    const counted = await api.get('/sites.php', { key });
    expect(counted.headers['ratelimit-remaining']).toBe('0');
  },
);

test.each(['/openapi.php', '/openapi.yaml'])('%s has an ETag, and answers 304 to it', async (path) => {
  const { headers } = await api.get(path);
  const etag = headers.etag!;
  expect(etag).toMatch(/^"[^"]+"$/);
  const again = await api.get(path, { headers: { 'If-None-Match': etag } });
  expect(again).toMatchObject({ status: 304, text: '' });
  expect(again.headers.etag).toBe(etag);
  for (const header of [`W/${etag}`, `"other", ${etag}`]) {
    expect((await api.get(path, { headers: { 'If-None-Match': header } })).status).toBe(304);
  }
  expect((await api.get(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
});

test.each(['/openapi.php', '/openapi.yaml'])(
  'the ETag of %s differs when the server address does',
  async (path) => {
    const here = await api.get(path);
    const there = await api.get(path, { headers: { Host: 'api.example.org' } });
    expect(there.headers.etag).not.toBe(here.headers.etag);
    expect(there.headers.vary).toMatch(/\bhost\b/i);
  },
);

test.each(['/openapi.php', '/openapi.yaml'])('%s answers GET and HEAD', async (path) => {
  const get = await api.get(path);
  const head = await api.request('HEAD', path);
  expect(head).toMatchObject({ status: 200, text: '' });
  for (const name of ['etag', 'content-type', 'content-length']) {
    expect(head.headers[name]).toBe(get.headers[name]);
  }
});

test.each(['/openapi.php', '/openapi.yaml'])('%s answers every other method 405 with Allow', async (path) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await api.request(method, path);
    expect(answer).toMatchObject({ status: 405, text: '{"error":"method_not_allowed"}' });
    expect(answer.headers.allow).toBe('GET, HEAD');
  }
});
