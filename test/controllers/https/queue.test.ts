import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { makeCallQueue } from '../../../src/controllers/https/queue.js';
import { until } from '../../support/until.js';
import { connect, errorOf, startTarget } from './target.js';

const forever = (): AbortSignal => new AbortController().signal;
const late = (): Error => new Error('late');

/** Works that end when they are told to. */
const makeWorks = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: (name: string) => ends.get(name)?.(),
  };
};

test('as many works as there are places begin at once; the others wait in their order', async () => {
  const turns = makeCallQueue(2);
  const { begun, work, end } = makeWorks();
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => turns.add(work(name), forever(), late)));
  await turn();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  end('d');
  end('e');
  expect(await all).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('nobody overtakes, not even in the moment in which a place is handed on', async () => {
  const turns = makeCallQueue(1);
  const { begun, work, end } = makeWorks();
  const first = turns.add(work('first'), forever(), late);
  const second = turns.add(work('second'), forever(), late);
  await turn();
  end('first');
  // The newcomer asks in each of the microtasks in which the place may just be free.
  const newcomers: Promise<string>[] = [];
  for (let asked = 0; asked < 20; asked += 1) {
    await Promise.resolve();
    newcomers.push(turns.add(work(`newcomer ${asked}`), forever(), late));
  }
  await turn();
  expect(begun.slice(0, 2)).toEqual(['first', 'second']);
  for (const name of ['second', ...newcomers.map((_, index) => `newcomer ${index}`)]) {
    await until(`${name} begins`, () => begun.includes(name));
    end(name);
  }
  await Promise.all([first, second, ...newcomers]);
  expect(begun.slice(2)).toEqual(newcomers.map((_, index) => `newcomer ${index}`));
});

test('whoever leaves while waiting is told at once and takes nobody’s place', async () => {
  const turns = makeCallQueue(1);
  const { begun, work, end } = makeWorks();
  const abort = new AbortController();
  const first = turns.add(work('first'), forever(), late);
  const leaving = ['b', 'c', 'd'].map((name) => errorOf(turns.add(work(name), abort.signal, late)));
  const last = turns.add(work('last'), forever(), late);
  await turn();
  abort.abort();
  for (const error of await Promise.all(leaving)) expect(error).toMatchObject({ message: 'late' });
  end('first');
  await first;
  await until('the last one begins', () => begun.includes('last'));
  end('last');
  expect(await last).toBe('last');
  expect(begun).toEqual(['first', 'last']);
});

test('a work that fails gives its place to the next', async () => {
  const turns = makeCallQueue(1);
  const failing = errorOf(turns.add(() => Promise.reject(new Error('failed')), forever(), late));
  const next = turns.add(async () => 'next', forever(), late);
  expect(await failing).toMatchObject({ message: 'failed' });
  expect(await next).toBe('next');
});

test('a place is kept until what the work keeps has ended', async () => {
  const turns = makeCallQueue(1);
  let release = (): void => undefined;
  const kept = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = false;
  const value = turns.add(
    async (keep) => {
      keep(kept);
      return 'value';
    },
    forever(),
    late,
  );
  const next = turns.add(
    async () => {
      begun = true;
    },
    forever(),
    late,
  );
  expect(await value).toBe('value');
  await turn();
  expect(begun).toBe(false);
  release();
  await next;
  expect(begun).toBe(true);
});

test('a controller gets no more calls at a time than are allowed, and all in their order', async () => {
  const target = await startTarget((response) => void setImmediate(() => response.end('{}')));
  const connection = connect(target, { maxCalls: 3 });
  const paths = Array.from({ length: 60 }, (_, index) => `/${index}`);
  await Promise.all(paths.map((path) => connection.call({ method: 'GET', path })));
  expect(target.mostOpen).toBeLessThanOrEqual(3);
  expect(target.handshakes).toBeLessThanOrEqual(3);
  // A call overtakes at most the two that are under way with it, however long one of those takes.
  const arrived = new Set<number>();
  for (const { path } of target.requests) {
    const number = Number(path?.slice(1));
    const overtaken = Array.from({ length: number }, (_, earlier) => earlier).filter(
      (earlier) => !arrived.has(earlier),
    );
    expect(overtaken.length).toBeLessThan(3);
    arrived.add(number);
  }
  expect(arrived.size).toBe(paths.length);
  await connection.close();
  await target.stop();
});

test('one call at a time comes in exactly the order of asking', async () => {
  const target = await startTarget();
  const connection = connect(target, { maxCalls: 1 });
  const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
  await Promise.all(paths.map((path) => connection.call({ method: 'GET', path })));
  expect(target.requests.map(({ path }) => path)).toEqual(paths);
  expect(target.handshakes).toBe(1);
  await connection.close();
  await target.stop();
});
