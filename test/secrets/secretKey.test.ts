import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { nodeSystem, type System } from '../../src/lib/system.js';
import {
  KeyFileError,
  keyFilePath,
  makeKeyFile,
  oldKeyFilePath,
  openSecrets,
  parseSecretKey,
  readKeyFile,
  readSecretKey,
} from '../../src/secrets/secretKey.js';
import { makeSecrets, SecretError } from '../../src/secrets/encryption.js';
import { root } from '../support/built.js';
import { testCases } from '../support/cases.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

let file: string;
const folder = forEachTest(makeFolder, 'remove');
beforeEach(async () => {
  file = keyFilePath(folder.path);
});
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

  testCases(['', 'geheim', 'ab'.repeat(31), 'ab'.repeat(33)])(
    'a file with anything else is refused without showing it, and stays as it is',
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

describe.each(['EPERM', 'ENOTSUP', 'EXDEV'])('where the file system has no hard links (%s)', (code) => {
  /** Runs code of the built program with a disk without links, on which renaming tells what it replaces. */
  const onDiskWithoutLinks = (work: string): string => {
    const script = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { renameSync } = fs;
      fs.linkSync = () => { throw Object.assign(new Error('${code}'), { code: '${code}' }); };
      fs.renameSync = (from, to) => {
        // Whoever reads it now waits, and whoever creates it is refused.
        try {
          fs.writeFileSync(to, 'by somebody else', { flag: 'wx' });
          console.log('replaced a file of somebody else');
        } catch {}
        renameSync(from, to);
      };
      syncBuiltinESMExports();
      const keys = await import(${JSON.stringify(pathToFileURL(join(root, 'dist/src/secrets/secretKey.js')).href)});
      ${work}`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', script, file], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  };

  test('a key is made, for this user alone, and one that is there stays', () => {
    const make = "console.log(keys.makeKeyFile(process.argv[1]).toString('hex'));";
    const key = onDiskWithoutLinks(make);
    expect(key).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readFileSync(file, 'utf8')).toBe(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(onDiskWithoutLinks(make)).toBe(key);
    expect(readdirSync(folder.path)).toEqual(['secret.key']);
  });

  test('a rotation keeps the old key as a copy, and replaces none', () => {
    const key = makeKeyFile(file);
    const keep = 'keys.linkKeyFile(process.argv[1], `${process.argv[1]}.old`);';
    expect(onDiskWithoutLinks(keep)).toBe('');
    const old = oldKeyFilePath(folder.path);
    expect(parseSecretKey(readFileSync(old, 'utf8'))).toEqual(key);
    expect(statSync(old).mode & 0o777).toBe(0o600);
    expect(() => onDiskWithoutLinks(keep)).toThrow('EEXIST');
    expect(readdirSync(folder.path).sort()).toEqual(['secret.key', 'secret.key.old']);
  });
});

test('a key file that is empty for a moment is read when it is written', () => {
  const key = Buffer.alloc(32, 5);
  writeFileSync(file, '');
  const writer = spawn(process.execPath, [
    '--eval',
    'require("node:fs").writeFileSync(process.argv[1], process.argv[2])',
    ...[file, key.toString('hex')],
  ]);
  // Each waits for half a second.
  let read: Buffer | undefined;
  for (let tries = 0; tries < 60 && !read; tries += 1) {
    try {
      read = readKeyFile(file);
    } catch (error) {
      expect(error).toBeInstanceOf(KeyFileError);
    }
  }
  expect(read).toEqual(key);
  writer.kill();
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
