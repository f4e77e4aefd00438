import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { makeLimitFiles } from '../../src/rateLimit/fileLimit.js';

const endless = async (): Promise<Readable> => new Readable({ read: () => undefined });
const tooMany = expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '5' } });

test('a user may have four files at a time; others are not concerned', async () => {
  const limitFiles = makeLimitFiles();
  const files = await Promise.all(Array.from({ length: 4 }, () => limitFiles(1, endless)));
  await expect(limitFiles(1, endless)).rejects.toEqual(tooMany);
  files.push(await limitFiles(2, endless));
  for (const file of files) file.destroy();
});

test.each<[string, (file: Readable) => void]>([
  ['was read', (file) => void file.push(null)],
  ['is given up', (file) => file.destroy()],
  ['fails', (file) => file.once('error', () => undefined).destroy(new Error('the disk is gone'))],
])('a file that %s makes room for the next', async (_, end) => {
  const limitFiles = makeLimitFiles();
  const files = await Promise.all(Array.from({ length: 4 }, () => limitFiles(1, endless)));
  const [first] = files as [Readable];
  const closed = new Promise((resolve) => first.once('close', resolve));
  end(first);
  first.resume();
  await closed;
  files.push(await limitFiles(1, endless));
  await expect(limitFiles(1, endless)).rejects.toEqual(tooMany);
  for (const file of files) file.destroy();
});

test('a file that can not be made, or was closed at once, does not count', async () => {
  const limitFiles = makeLimitFiles();
  for (let round = 0; round < 10; round += 1) {
    const failing = limitFiles(1, () => Promise.reject(new Error('refused')));
    await expect(failing).rejects.toThrow('refused');
    await limitFiles(1, async () => {
      const file = new Readable({ read: () => undefined });
      file.destroy();
      await once(file, 'close');
      return file;
    });
  }
});
