import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { beforeEach, expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { rotateKeyFile, type ResealAll } from '../../src/secrets/rotation.js';
import { keyFilePath, oldKeyFilePath, openSecrets, readSecretKey } from '../../src/secrets/secretKey.js';
import { makeSecrets } from '../../src/secrets/encryption.js';
import { makeFolder } from '../support/folder.js';
import { forEachTest } from '../support/fixture.js';

let values: string[];
const source = () => ({ secretKey: undefined, dataDir: folder.path });
const folder = forEachTest(makeFolder, 'remove');
beforeEach(async () => {
  values = ['one', 'two'].map((text) => openSecrets(source()).seal(text, 'hier'));
});

/** A table of two values. */
const reseal: ResealAll = async (change) => {
  values = values.map((sealed) => change(sealed, 'hier'));
  return values.length;
};
const rotate = (how: ResealAll = reseal) => rotateKeyFile(folder.path, nodeSystem, how);
const opened = (): string[] => values.map((sealed) => openSecrets(source()).open(sealed, 'hier'));
const crash = new Error('the process ended');

test('everything is sealed with a new key, and the old one is gone', async () => {
  const before = readSecretKey(source());
  expect(await rotate()).toEqual({ resealed: 2, finished: false });
  const after = readSecretKey(source());
  expect(after).not.toEqual(before);
  expect(values.map((sealed) => makeSecrets(after, nodeSystem).open(sealed, 'hier'))).toEqual(['one', 'two']);
  expect(readdirSync(folder.path)).toEqual(['secret.key']);
  expect(statSync(keyFilePath(folder.path)).mode & 0o777).toBe(0o600);
});

const moments: [string, () => Promise<unknown>, boolean][] = [
  [
    'when only the old key was kept',
    async () => copyFileSync(keyFilePath(folder.path), oldKeyFilePath(folder.path)),
    false,
  ],
  ['before anything was sealed again', () => rotate(() => Promise.reject(crash)), true],
  [
    'after everything was sealed again',
    () =>
      rotate(async (change) => {
        await reseal(change);
        throw crash;
      }),
    true,
  ],
];

test.each(moments)('after a crash %s, everything opens', async (_, crashing) => {
  await crashing().catch((error: unknown) => expect(error).toBe(crash));
  expect(opened()).toEqual(['one', 'two']);
});

test.each(moments)('a crash %s is made good by the next rotation', async (_, crashing, finished) => {
  const first = readSecretKey(source());
  await crashing().catch((error: unknown) => expect(error).toBe(crash));
  expect(await rotate()).toEqual({ resealed: 2, finished });
  expect(opened()).toEqual(['one', 'two']);
  expect(readSecretKey(source())).not.toEqual(first);
  expect(readdirSync(folder.path)).toEqual(['secret.key']);
});

test('a value that neither key opens leaves both keys in place', async () => {
  const key = readFileSync(keyFilePath(folder.path), 'utf8');
  values.push(makeSecrets(Buffer.alloc(32), nodeSystem).seal('three', 'hier'));
  await expect(rotate()).rejects.toThrow('a stored secret can not be opened');
  expect(readFileSync(oldKeyFilePath(folder.path), 'utf8')).toBe(key);
  expect(readdirSync(folder.path).sort()).toEqual(['secret.key', 'secret.key.old']);
});
