import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { expectOneLine, type Ended } from '../support/cli.js';
import { makeCliFixture } from '../support/cliFixture.js';
import { forAllTests } from '../support/fixture.js';
import { randomSecret } from '../support/secretLeaks.js';

const cli = forAllTests(makeCliFixture, 'remove');

const secretParts = [randomSecret(), randomSecret()];
const address = `https://hooks.example.org/${secretParts.join('/')}Ab3x`;
const addOptions = (name: string): string[] => ['webhook', 'add', '--name', name, '--format', 'slack'];

/** A terminal on which somebody types this. */
const terminal = (text: string) =>
  Object.assign(new PassThrough({}), { isTTY: true }).on('resume', function (this: PassThrough) {
    if (!this.writableEnded) this.end(text);
  });
const asked = (name: string, typed: string): Promise<Ended> =>
  cli.typing(terminal(typed), ...addOptions(name));
const shown = async (name: string): Promise<string | undefined> =>
  (await cli.voucherd('webhook', 'list')).out.split('\n').find((line) => line.startsWith(name));

describe('on a terminal', () => {
  test('the address is asked for, and what is typed is not shown', async () => {
    expect(await asked('Getippt', `${address}\r`)).toEqual({
      status: 0,
      out: 'Getippt\n',
      err: 'the address (it is not shown): \n',
    });
    expect(await shown('Getippt')).toContain('https://hooks.example.org/…Ab3x');
  });

  test('a character can be taken back', async () => {
    await asked('Korrigiert', `${address}yz\x7f\x7f\r`);
    expect(await shown('Korrigiert')).toContain('…Ab3x');
  });

  test.each([
    ['Ctrl-C', `${address}\x03`, 130],
    ['Ctrl-D', '\x04', 2],
    ['the end of input', '', 2],
  ])('%s ends the question', async (_, typed, ending) => {
    const { status, out, err } = await asked('Abgebrochen', typed);
    expect([status, out]).toEqual([ending, '']);
    expect(err).toMatch(/\nvoucherd: the address is missing: nothing was entered\n$/);
  });

  test('nothing but space is refused', async () => {
    const { status, err } = await asked('Leer', '  \r');
    expect(status).toBe(2);
    expect(err).toMatch(/\nvoucherd: the address is empty\n$/);
  });
});

describe('standard input', () => {
  test('is the file -', async () => {
    const input = Readable.from([Buffer.from(address.slice(0, 20)), Buffer.from(`${address.slice(20)}\n`)]);
    const { status, out } = await cli.typing(input, ...addOptions('Leitung'), '--url-file', '-');
    expect([status, out]).toEqual([0, 'Leitung\n']);
    expect(await shown('Leitung')).toContain('…Ab3x');
  });

  test('that is no terminal is not asked', async () => {
    expectOneLine(
      await cli.typing(Readable.from([address]), ...addOptions('x')),
      'the address is missing: give',
    );
  });

  test('that is empty is refused', async () => {
    expectOneLine(
      await cli.typing(Readable.from([]), ...addOptions('x'), '--url-file', '-'),
      'voucherd: what --url-file names is empty',
    );
  });
});

test('what was typed is never printed, or readable in the database', async () => {
  expect(await cli.leaked(secretParts)).toEqual([]);
});
