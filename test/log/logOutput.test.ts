import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeLogOutput, type LogOutput } from '../../src/log/logOutput.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const maxBytes = 200_000;
let folder: TestFolder;
let reader: number;
let writer: number;
let missed: number[];
let output: LogOutput;

beforeEach(async () => {
  folder = await makeFolder();
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  missed = [];
  output = makeLogOutput({
    fd: writer,
    maxBytes,
    onRecovery: (lines) => {
      missed.push(lines);
      output.write('recovered\n');
    },
  });
});
afterEach(async () => {
  output.end();
  closeSync(reader);
  closeSync(writer);
  await folder.remove();
});

/** Everything that can be read now. */
const readAll = (): string => {
  const chunk = Buffer.alloc(65_536);
  let text = '';
  for (;;) {
    try {
      const length = readSync(reader, chunk);
      if (length === 0) return text;
      text += chunk.toString('utf8', 0, length);
    } catch {
      return text;
    }
  }
};

const line = (number: number): string => `${String(number)} ${'x'.repeat(1000)}\n`;

/** Waits for what comes next. */
const readNext = async (): Promise<string> => {
  let text = '';
  await until('something is written', () => (text += readAll()) !== '');
  return text;
};

test('lines of the same moment are written together, a moment later', async () => {
  output.write('a\n');
  output.write('b\n');
  expect(readAll()).toBe('');
  expect(await readNext()).toBe('a\nb\n');
});

test('many lines are written at once', () => {
  for (let number = 0; number < 16; number++) output.write(line(number));
  expect(readAll()).toBe('');
  output.write(line(16));
  expect(readAll().split('\n')).toHaveLength(18);
});

test('what was written last is there when the process is about to end', () => {
  output.write('last words\n');
  output.end();
  expect(readAll()).toBe('last words\n');
});

test('while nobody reads, lines wait, then are dropped and counted; a reader that is back reads whole lines', async () => {
  let written = 0;
  while (output.dropped() === 0) output.write(line(written++));
  // Those that were written together are dropped together.
  const dropped = output.dropped();
  let text = '';
  await until('the reader is told', () => {
    text += readAll();
    return text.endsWith('recovered\n');
  });
  const lines = text.split('\n').slice(0, -2);
  expect(missed).toEqual([dropped]);
  expect(lines).toHaveLength(written - dropped);
  expect(lines.every((read, number) => `${read}\n` === line(number))).toBe(true);
  // All that waited, and the pipe beside it.
  expect(text.length).toBeGreaterThan(maxBytes);
  output.write('after\n');
  expect(await readNext()).toBe('after\n');
  expect(output.dropped()).toBe(dropped);
});

test('a closed pipe loses lines and nothing else', async () => {
  closeSync(reader);
  reader = openSync('/dev/null', 'r');
  output.write('a\n');
  output.write('b\n');
  await until('they are lost', () => output.dropped() === 2);
});

test('at the end what waits gets a last moment, and then keeps nothing from ending', async () => {
  for (let number = 0; number < 150; number++) output.write(line(number));
  output.end();
  await until('it is given up', () => output.dropped() > 0);
  expect(readAll().length).toBeLessThan(150 * line(100).length);
});
