import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import type { Answer } from '../../support/service.js';

const api = withApi({ key: { scope: 'read', rateLimit: 1000 } });

const listWith = (etag: string): Promise<Answer> =>
  api.get('/sites.php', { key: api.key, headers: { 'If-None-Match': etag } });

test('while the list of sites is the one with the ETag in If-None-Match, the answer is 304 without a body', async () => {
  const { headers } = await api.get('/sites.php', { key: api.key });
  const etag = headers.etag!;
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await listWith(header);
    expect(answer).toMatchObject({ status: 304, text: '' });
    expect(answer.headers.etag).toBe(etag);
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(answer.headers['ratelimit-limit']).toBe('1000');
  }
});

test('another ETag gets the list', async () => {
  expect(await listWith('"other"')).toMatchObject({ status: 200 });
});

test('when the sites have changed, the old ETag gets the new list', async () => {
  const { headers } = await api.get('/sites.php', { key: api.key });
  await api.addSite({ name: 'Nebengebäude' });
  const answer = await listWith(headers.etag!);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('Nebengebäude');
  expect(answer.headers.etag).not.toBe(headers.etag);
});
