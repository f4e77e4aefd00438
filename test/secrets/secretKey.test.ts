import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nodeSystem, type System } from '../../src/lib/system.js';
import {
  keyFilePath,
  makeKeyFile,
  oldKeyFilePath,
  openSecrets,
  parseSecretKey,
  readSecretKey,
} from '../../src/secrets/secretKey.js';
import { makeSecrets, SecretError } from '../../src/secrets/encryption.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

let folder: TestFolder;
let file: string;
beforeEach(async () => {
  folder = await makeFolder();
  file = keyFilePath(folder.path);
});
afterEach(() => folder.remove());
const inFile = () => ({ secretKey: undefined, dataDir: folder.path });

test('the configured key is used, and no file is made', () => {
  const secretKey = Buffer.alloc(32, 7);
  expect(readSecretKey({ secretKey, dataDir: folder.path })).toBe(secretKey);
  expect(readdirSync(folder.path)).toEqual([]);
});

describe('without a configured key', () => {
  test('one is made at first need, for this user alone, and used from then on', () => {
    const key = readSecretKey(inFile());
    expect(key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(`${key.toString('hex')}\n`);
    expect(readSecretKey(inFile())).toEqual(key);
    expect(readdirSync(folder.path)).toEqual(['secret.key']);
  });

  test('of two processes that make it at once, both use the same', () => {
    let others: Buffer | undefined;
    const slower: System = {
      ...nodeSystem,
      // The other one makes its key after this one has seen that there is none.
      randomBytes: (size) => {
        others ??= makeKeyFile(file);
        return nodeSystem.randomBytes(size);
      },
    };
    expect(readSecretKey(inFile(), slower)).toEqual(others);
    expect(parseSecretKey(readFileSync(file, 'utf8'))).toEqual(others);
    expect(readdirSync(folder.path)).toEqual(['secret.key']);
  });

  test('the file may hold base64, as an operator would put it there', () => {
    const key = Buffer.alloc(32, 0xfb);
    writeFileSync(file, key.toString('base64'));
    expect(readSecretKey(inFile())).toEqual(key);
  });

  test.each(['', 'geheim', 'ab'.repeat(31), 'ab'.repeat(33)])(
    'a file with "%s" is refused without showing it, and stays as it is',
    (content) => {
      writeFileSync(file, content);
      expect(() => readSecretKey(inFile())).toThrow(
        `${file} holds no key: put back the one it held: 32 bytes, as 64 hexadecimal characters or as base64`,
      );
      expect(readFileSync(file, 'utf8')).toBe(content);
    },
  );

  test('a file that can not be read is refused', () => {
    mkdirSync(file);
    expect(() => readSecretKey(inFile())).toThrow(`${file} can not be read (EISDIR)`);
  });

  test('a folder that can not be written to is refused', () => {
    const dataDir = join(folder.path, 'missing');
    expect(() => readSecretKey({ secretKey: undefined, dataDir })).toThrow(
      `${keyFilePath(dataDir)} can't be created (ENOENT)`,
    );
  });
});

describe('secrets', () => {
  const sealedWith = (key: Buffer): string => makeSecrets(key, nodeSystem).seal('geheim', 'hier');

  test('are sealed with the current key', () => {
    const sealed = openSecrets(inFile()).seal('geheim', 'hier');
    expect(makeSecrets(readSecretKey(inFile()), nodeSystem).open(sealed, 'hier')).toBe('geheim');
  });

  test('open with the previous key too, while a rotation of the file lasts', () => {
    const old = makeKeyFile(oldKeyFilePath(folder.path));
    const secrets = openSecrets(inFile());
    expect(secrets.open(sealedWith(old), 'hier')).toBe('geheim');
    expect(secrets.open(secrets.seal('geheim', 'hier'), 'hier')).toBe('geheim');
    expect(() => secrets.open(sealedWith(Buffer.alloc(32)), 'hier')).toThrow(SecretError);
  });

  test('open with the configured key alone where one is set', () => {
    const old = makeKeyFile(oldKeyFilePath(folder.path));
    const secrets = openSecrets({ secretKey: Buffer.alloc(32), dataDir: folder.path });
    expect(() => secrets.open(sealedWith(old), 'hier')).toThrow(SecretError);
  });
});
