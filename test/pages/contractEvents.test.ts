import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { startDevelopmentService, type DevelopmentService } from '../dev/developmentService.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

let developing: DevelopmentService | undefined;
afterEach(async () => {
  await developing?.stop();
  developing = undefined;
});

/** The revisions that a page hears of. */
const listen = async (url: string) => {
  const [res] = (await once(get(`${url}/docs/events`, { agent: false }), 'response')) as [IncomingMessage];
  let text = '';
  res.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
  const ended = once(res, 'end');
  const revisions = (): string[] =>
    [...text.matchAll(/^data: \{"revision":"(.+)"\}$/gm)].map(([, name]) => name!);
  return { res, ended, revisions };
};

test('in development a page hears of every contract that is loaded, and first of the one that is served', async () => {
  developing = await startDevelopmentService([]);
  const { service } = developing;
  const page = await listen(service.url);
  expect(page.res.statusCode).toBe(200);
  expect(page.res.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  await until('the first revision', () => page.revisions().length === 1);
  await service.reload();
  await until('the next revision', () => page.revisions().length === 2);
  expect(new Set(page.revisions()).size).toBe(2);
  const later = await listen(service.url);
  await until('the revision of now', () => later.revisions().length === 1);
  expect(later.revisions()).toEqual(page.revisions().slice(1));
});

test('a contract that is not served is not told', async () => {
  developing = await startDevelopmentService([]);
  const { service, contractFile } = developing;
  const page = await listen(service.url);
  await expect(service.reload(`${contractFile}.missing`)).rejects.toThrow('ENOENT');
  await service.reload();
  await until('the next revision', () => page.revisions().length >= 2);
  expect(page.revisions()).toHaveLength(2);
});

test('a page that listens does not hold up the end of the service', async () => {
  const own = await startDevelopmentService([]);
  const page = await listen(own.service.url);
  await own.stop();
  await page.ended;
});

test('outside development there is nothing to hear', async () => {
  const service = await startService();
  expect((await service.get('/docs/events')).status).toBe(404);
  await service.stop();
});
