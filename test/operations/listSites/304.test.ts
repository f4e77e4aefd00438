import { beforeAll, expect, test } from '@jest/globals';
import { withService, type Answer } from '../../support/service.js';

const service = withService();
let key: string;

beforeAll(async () => {
  key = await service.addKey({ scope: 'read', rateLimit: 1000 });
  await service.addSite();
});

const listWith = (etag: string): Promise<Answer> =>
  service.get('/sites.php', { key, headers: { 'If-None-Match': etag } });

test('while the list of sites is the one with the ETag in If-None-Match, the answer is 304 without a body', async () => {
  const { headers } = await service.get('/sites.php', { key });
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
  const { headers } = await service.get('/sites.php', { key });
  await service.addSite({ name: 'Nebengebäude' });
  const answer = await listWith(headers.etag!);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('Nebengebäude');
  expect(answer.headers.etag).not.toBe(headers.etag);
});
