import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { makeIntervalJob } from '../../src/jobs/intervalJob.js';

const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Work that is under way until `finish` or `fail` is called. */
const controlled = () => {
  const open: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let begun = 0;
  return {
    work: () =>
      new Promise<void>((resolve, reject) => {
        begun++;
        open.push({ resolve, reject });
      }),
    begun: () => begun,
    finish: () => open.shift()?.resolve(),
    fail: (text: string) => open.shift()?.reject(new Error(text)),
  };
};

test('work is done at start and then again and again', async () => {
  const { work, begun, finish } = controlled();
  const regular = makeIntervalJob('counting', work, 1000, log);
  expect(begun()).toBe(0);
  regular.start();
  expect(begun()).toBe(1);
  finish();
  await jest.advanceTimersByTimeAsync(999);
  expect(begun()).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(begun()).toBe(2);
  finish();
  await regular.stop();
});

test('it is never done twice at a time', async () => {
  const { work, begun, finish } = controlled();
  const regular = makeIntervalJob('counting', work, 1000, log);
  regular.start();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(begun()).toBe(1);
  finish();
  await regular.stop();
});

test('work that fails is logged and tried again later', async () => {
  const { work, begun, finish, fail } = controlled();
  const regular = makeIntervalJob('counting', work, 1000, log);
  regular.start();
  fail('kaputt');
  await jest.advanceTimersByTimeAsync(1000);
  expect(begun()).toBe(2);
  expect(lines.at(-1)).toContain('counting failed; tried again later');
  finish();
  await regular.stop();
});

test('a failure is logged once, again when it changes, and so is its end', async () => {
  const regular = makeIntervalJob(
    'counting',
    () => {
      const text = results.shift();
      return text === undefined ? Promise.resolve() : Promise.reject(new Error(text));
    },
    1000,
    log,
  );
  const results = [...Array<string>(60).fill('no key'), 'no disk', 'no disk', undefined, undefined, 'no key'];
  const all = results.length;
  lines.length = 0;
  regular.start();
  await jest.advanceTimersByTimeAsync((all - 1) * 1000);
  expect(results).toEqual([]);
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; err?: { message: string } });
  expect(logged.map(({ msg, err }) => err?.message ?? msg)).toEqual([
    'no key',
    'no disk',
    'counting works again',
    'no key',
  ]);
  await regular.stop();
});

test('stopping waits for what is under way, and nothing is done after it', async () => {
  const { work, begun, finish } = controlled();
  const regular = makeIntervalJob('counting', work, 1000, log);
  regular.start();
  let stopped = false;
  const stopping = regular.stop().then(() => {
    stopped = true;
  });
  await jest.advanceTimersByTimeAsync(5000);
  expect(stopped).toBe(false);
  finish();
  await stopping;
  await jest.advanceTimersByTimeAsync(5000);
  expect(begun()).toBe(1);
});

test('stopping between two times ends it', async () => {
  const { work, begun, finish } = controlled();
  const regular = makeIntervalJob('counting', work, 1000, log);
  regular.start();
  finish();
  await jest.advanceTimersByTimeAsync(500);
  await regular.stop();
  await jest.advanceTimersByTimeAsync(5000);
  expect(begun()).toBe(1);
});
