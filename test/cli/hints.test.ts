import { describe, expect, test } from '@jest/globals';
import { explainControllerError } from '../../src/cli/controller/remedies.js';
import { formatCheckLine } from '../../src/cli/io.js';
import { ControllerError } from '../../src/controllers/errors.js';
import type { Failure } from '../../src/controllers/failure.js';
import { parseConnectionSettings } from '../../src/controllers/https/settings.js';
import { program, run } from '../support/cli.js';
import { putSqliteDatabase } from '../support/databases.js';
import { makeFolder } from '../support/folder.js';

const certificates: readonly Failure<'certificate'>[] = [
  { kind: 'certificate', reason: 'unknown-ca', fingerprint: 'AB:CD' },
  { kind: 'certificate', reason: 'host-name', host: 'a.test', names: 'DNS:b.test', fingerprint: 'AB:CD' },
];
test.each(certificates)(
  'of two ways out of %j each is on a line of its own, which can be pasted',
  (failure) => {
    const error = new ControllerError('Konsole', failure);
    const { message, remedy } = explainControllerError(error, 'Konsole')!;
    const lines = formatCheckLine('FAIL', 'connection', message, remedy).trimEnd().split('\n').slice(1);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(/^ +→ /);
      expect(line.split(`${program} controller `)).toHaveLength(2);
      expect(line).not.toContain(';');
    }
  },
);

describe('one is not several', () => {
  test.each([
    ['check', ['doctor'], { PORT: 'x' }, 'voucherd: 1 of 1 check failed\n'],
    ['voucher', ['voucher', 'revoke', '0000000000'], {}, 'voucherd: 1 of 1 voucher not revoked\n'],
  ])('%s', async (_, argv, env, line) => {
    const folder = await makeFolder();
    await putSqliteDatabase(folder.path);
    expect((await run(argv, { DATA_DIR: folder.path, ...env })).err).toBe(line);
    await folder.remove();
  });
});

test('the help names the number of calls that a controller gets by itself', async () => {
  const { out } = await run(['controller', 'add', '--help']);
  const { maxCalls } = parseConnectionSettings({ url: 'https://192.0.2.1' });
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`calls it gets at a time, 1 to 64 (default: ${maxCalls})`);
});

test('the help of a command that changes a controller names no default, which it would not set', async () => {
  const { out } = await run(['controller', 'set', '--help']);
  expect(out.replaceAll(/\s+/g, ' ')).toContain('calls it gets at a time, 1 to 64 ');
  expect(out).not.toContain('default');
});

test.each(['test', 'add'])('the help of `webhook %s` says what a private address needs', async (command) => {
  const { out } = await run(['webhook', command, '--help']);
  expect(out.replaceAll(/\s+/g, ' ')).toContain('needs the WEBHOOK_ALLOW_PRIVATE of the service here');
});
