import { beforeAll, describe, expect, test } from '@jest/globals';
import { backupErrorKinds } from '../../src/backup/backupError.js';
import { errorCodes } from '../../src/cli/errorCodes.js';
import { exitStatusOfCode } from '../../src/cli/exitStatus.js';
import { configurationErrorKinds } from '../../src/configuration/configurationError.js';
import { CopyError } from '../../src/database/copy/copyDatabase.js';
import { DatabaseError } from '../../src/database/database.js';
import { importErrorKinds } from '../../src/import/phpTool/sourceRows.js';
import { SecretError } from '../../src/secrets/encryption.js';
import { WrongPassPhrase } from '../../src/secrets/passPhrase.js';
import { run } from '../support/cli.js';
import { makeCliFixture } from '../support/cliFixture.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const phrases = { PHRASE: 'vier Pferde ziehen leise', OTHER: 'vier Pferde ziehen laut' };
const at = (name: string) => `${folder.path}/${name}`;

const folder = forAllTests(makeFolder, 'remove');
const cli = forAllTests(() => makeCliFixture(phrases), 'remove');
beforeAll(async () => {
  await cli.add('Chat', 'slack', 'https://hooks.example.org/x');
  const withPhrase = ['--pass-phrase-env', 'PHRASE'];
  for (const argv of [
    ['backup', at('a.backup'), '--with-key', ...withPhrase],
    ['config', 'export', at('a.yaml'), ...withPhrase],
  ])
    expect(await cli.voucherd(...argv)).toMatchObject({ status: 0 });
});

const reportOf = async (line: string): Promise<{ code: string; status: number }> => {
  // An empty word is written as "".
  const argv = line.split(' ').map((word) => (word === '""' ? '' : word.replace('@', folder.path)));
  const { status, err } = await run([...argv, '--json'], cli.env);
  const { error } = JSON.parse(err.trim().split('\n').at(-1) ?? '') as {
    error: { code: string; status: number };
  };
  expect(error.status).toBe(status);
  return { code: error.code, status: error.status };
};

describe('the same mistake has the same code and status in every command', () => {
  const mistakes: Partial<Record<keyof typeof errorCodes, string[]>> = {
    'wrong-pass-phrase': [
      'restore @/a.backup --data-dir @/new --pass-phrase-env OTHER',
      'config import @/a.yaml --pass-phrase-env OTHER',
    ],
    'file-unreadable': [
      'restore @/none --data-dir @/new',
      'restore @/a.backup --data-dir @/new --key-file @/none',
      'restore @/a.backup --data-dir @/new --pass-phrase-file @/none',
      'backup @/b.backup --with-key --pass-phrase-file @/none',
      'config import @/none',
      'config export @/b.yaml --pass-phrase-file @/none',
      'import php-tool --dump @/none',
      'import php-tool --config @/none',
      'webhook add --name x --format slack --url-file @/none',
      'controller add --name x --kind unifi --url https://x --ca-file @/none',
      'mock --contract @/none',
      'proxy http://x --contract @/none',
      'proxy http://x --ca-file @/none',
      'user create --name Anna --role admin --password-file @/none',
    ],
    'target-exists': ['backup @/a.backup', 'config export @/a.yaml --without-secrets', 'restore @/a.backup'],
    'option-invalid': [
      'backup ""',
      'restore ""',
      'restore @/a.backup --data-dir ""',
      'restore @/a.backup --data-dir=',
      'config export ""',
      'config import ""',
      'database copy --to ""',
      'database copy --from ""',
      'key create --name "" --scope read',
      'key revoke ""',
      'user sites Anna 1 ""',
      'controller add --name x --kind unifi --url ""',
      'webhook add --name x --format slack --url-env ""',
      'import php-tool --dump ""',
      'mock --contract ""',
      'proxy ""',
    ],
  };
  test.each(Object.entries(mistakes) as [keyof typeof errorCodes, string[]][])('%s', async (code, lines) => {
    const status = exitStatusOfCode(code, errorCodes[code].kind);
    for (const line of lines) expect([line, await reportOf(line)]).toEqual([line, { code, status }]);
  });

  test('an empty value is refused with one line that names the option or the argument', async () => {
    expect(await run(['restore', 'x', '--data-dir', ''], cli.env)).toMatchObject({
      err: 'voucherd: --data-dir: "" is not allowed: it is empty; is the variable set that it comes from?\n',
    });
    expect(await run(['backup', ''], cli.env)).toMatchObject({
      err: 'voucherd: file: "" is not allowed: it is empty; is the variable set that it comes from?\n',
    });
  });
});

describe('the list of codes', () => {
  const listed: Readonly<Record<string, { readonly kind: string }>> = errorCodes;

  test.each([
    ['backups', backupErrorKinds],
    ['the configuration', configurationErrorKinds],
    ['imports', importErrorKinds],
  ])('has those of %s, with the same kind', (_, kinds) => {
    for (const [code, kind] of Object.entries(kinds))
      expect([code, listed[code]?.kind]).toEqual([code, kind]);
  });

  test('has those of databases, keys and pass phrases, with the same kind', () => {
    for (const { code, kind } of [
      new CopyError('in-use', ''),
      new CopyError('not-empty', ''),
      new DatabaseError('in-use', ''),
      new DatabaseError('unfinished-copy', ''),
      new SecretError('key-missing', ''),
      new WrongPassPhrase(),
    ])
      expect([code, listed[code]?.kind]).toEqual([code, kind]);
  });
});
