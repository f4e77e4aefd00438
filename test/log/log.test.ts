import { expect, test } from '@jest/globals';
import { makeIsoTime } from '../../src/log/log.js';
import { runScript } from '../support/built.js';

/** What a process prints that logs this; `terminal` is what it takes its standard output for. */
const logged = (statement: string, { level = 'info', terminal = false } = {}): Promise<string> =>
  runScript(`
    import { openLog } from './dist/src/log/log.js';
    process.stdout.isTTY = ${String(terminal)};
    const { log } = await openLog('${level}');
    ${statement}
  `);

test('a log line is one JSON object with its time in UTC', async () => {
  const out = await logged(`log.info({ status: 201 }, 'done');`);
  expect(out).toMatch(/^[^\n]+\n$/);
  expect(JSON.parse(out)).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    status: 201,
    msg: 'done',
  });
});

test('the time of a line follows the clock, forwards and backwards', () => {
  let now = Date.parse('2026-11-17T12:00:00.001Z');
  const isoTime = makeIsoTime({ now: () => now });
  expect([isoTime(), isoTime()]).toEqual(Array(2).fill(',"time":"2026-11-17T12:00:00.001Z"'));
  now += 1;
  expect(isoTime()).toBe(',"time":"2026-11-17T12:00:00.002Z"');
  now -= 2;
  expect(isoTime()).toBe(',"time":"2026-11-17T12:00:00.000Z"');
});

test('on a terminal a log line is readable', async () => {
  const out = await logged(`log.warn({ status: 500 }, 'done');`, { terminal: true });
  expect(() => JSON.parse(out) as unknown).toThrow();
  expect(out).toMatch(/WARN.*done.*status/s);
});

test('LOG_LEVEL decides what is logged', async () => {
  const statement = `log.debug('a'); log.info('b'); log.error('c');`;
  expect((await logged(statement, { level: 'error' })).match(/"msg":"\w"/g)).toEqual(['"msg":"c"']);
  expect((await logged(statement, { level: 'debug' })).match(/"msg":"\w"/g)).toHaveLength(3);
  expect(await logged(statement, { level: 'silent' })).toBe('');
});

test('an exception is logged with what a client may read, and none of its other properties', async () => {
  const out = await logged(`
    const error = new TypeError('refused: password=geheim');
    log.error({ err: Object.assign(error, { options: { token: 'vertraulich' } }) }, 'failed');
  `);
  expect(out).not.toMatch(/geheim|vertraulich/);
  const { err } = JSON.parse(out) as { err: { type: string; message: string; stack: string } };
  expect(err).toEqual({
    type: 'TypeError',
    message: 'refused: password=…',
    stack: expect.stringMatching(/^ +at /),
  });
});

test('what is thrown without being an exception is logged without secrets too', async () => {
  const out = await logged(`log.error({ err: 'sent Bearer geheim' }, 'failed');`);
  expect(JSON.parse(out)).toMatchObject({ err: 'sent Bearer …' });
});
