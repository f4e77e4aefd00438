import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.js';
import { toSearchWords } from '../../src/vouchers/searchWords.js';
import { fillVouchers, seedSites } from '../../tools/bench/src/seed.js';
import { cpuSeconds, residentMb } from '../../tools/bench/src/processUsage.js';
import { childEnv, root } from '../support/built.js';
import { makeFolder } from '../support/folder.js';

test('the built benchmark starts and prints its options', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/tools/bench/src/main.js', '--help'], {
    cwd: root,
    env: childEnv({}),
  });
  expect(stdout).toContain('--rounds');
});

test('seeded vouchers have the search words that a service gives them', async () => {
  const folder = await makeFolder();
  const databaseUrl = `sqlite:${join(folder.path, 'seed.sqlite')}`;
  await seedSites(databaseUrl);
  await fillVouchers(databaseUrl, 0, 60);
  const database = openDatabase(databaseUrl);
  try {
    const seeded = await database
      .read('vouchers')
      .select<{ name: string; code: string; words: string }[]>('name', 'code', 'words');
    expect(seeded).toHaveLength(60);
    for (const voucher of seeded) expect(JSON.parse(voucher.words)).toEqual(toSearchWords(voucher));
  } finally {
    await database.close();
    await folder.remove();
  }
});

(process.platform === 'linux' ? test : test.skip)(
  'processor time and memory of a process are read',
  async () => {
    const before = await cpuSeconds(process.pid);
    const { user, system } = process.cpuUsage();
    expect(Math.abs(before - (user + system) / 1e6)).toBeLessThan(1);
    expect(await residentMb(process.pid)).toBeGreaterThan(10);
  },
);
