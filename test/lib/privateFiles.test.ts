import { readdirSync, statSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { run } from '../support/cli.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { startService } from '../support/service.js';

const folder = forEachTest(makeFolder, 'remove');

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Everything in the test's folder, by its permissions. */
const modes = (): Record<string, string[]> => {
  const found: Record<string, string[]> = {};
  for (const entry of readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).sort())
    (found[modeOf(join(folder.path, entry))] ??= []).push(entry);
  return found;
};

describe.each([0o000, 0o022])('with umask %o', (umask) => {
  let before: number;
  beforeAll(() => {
    before = process.umask(umask);
  });
  afterAll(() => {
    process.umask(before);
  });

  test.each([
    ['migrate'],
    ['key create --name Buchung --scope read --yes'],
    ['controller add --name Haus --kind simulated --yes'],
  ])('whichever command comes first makes folders and files for this user alone: %s', async (command) => {
    await run(command.split(' '), {
      DATA_DIR: join(folder.path, 'a/data'),
      DATABASE_URL: `sqlite:${join(folder.path, 'b/c/vouchers.sqlite')}`,
    });
    expect(modes()).toEqual({ '700': ['a', 'a/data', 'b', 'b/c'], '600': ['b/c/vouchers.sqlite'] });
  });

  test('the files beside the database, and those of a simulated controller, are for this user alone', async () => {
    const service = await startService({ dataDir: join(folder.path, 'data') });
    const [key, siteId] = [await service.addKey(), await service.addSite()];
    const { status } = await service.post('/vouchers.php', { site_id: siteId, name: 'Gast' }, { key });
    const found = modes();
    await service.stop();
    expect(status).toBe(201);
    expect(Object.keys(found).sort()).toEqual(['600', '700']);
    expect(found['600']).toEqual(
      expect.arrayContaining([
        ...['data/voucherd.sqlite', 'data/voucherd.sqlite-shm', 'data/voucherd.sqlite-wal'],
        ...['data/simulated-1.sqlite', 'data/simulated-1.sqlite-shm', 'data/simulated-1.sqlite-wal'],
      ]),
    );
  });
});

describe('doctor', () => {
  const permissions = async (): Promise<unknown> => {
    const { out } = await run(['doctor', '--json'], { DATA_DIR: folder.path });
    return (JSON.parse(out) as { check: string }[]).find(({ check }) => check === 'permissions');
  };

  test('names files that every user of the machine can open, and what closes them', async () => {
    await run(['migrate'], { DATA_DIR: folder.path });
    await chmod(folder.path, 0o755);
    expect(await permissions()).toMatchObject({ ok: true });
    const file = join(folder.path, 'voucherd.sqlite');
    await chmod(file, 0o644);
    // While the database is open, two more files stand beside it, which SQLite gives the same permissions.
    expect(await permissions()).toEqual({
      check: 'permissions',
      ok: false,
      message: expect.stringContaining(`every user of this machine can open ${file}`),
      remedy: expect.stringContaining(`chmod o= "${file}"`),
    });
  });

  test('leaves to the operator what a group may do, and what is in a folder that nobody else can enter', async () => {
    await run(['migrate'], { DATA_DIR: folder.path });
    const file = join(folder.path, 'voucherd.sqlite');
    await chmod(folder.path, 0o750);
    await chmod(file, 0o640);
    expect(await permissions()).toMatchObject({ ok: true });
    await chmod(folder.path, 0o700);
    await chmod(file, 0o644);
    expect(await permissions()).toMatchObject({ ok: true });
  });
});
