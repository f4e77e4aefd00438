import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { goodPassword } from '../support/authFixture.js';
import { makeEmptyPostgresDatabase } from '../support/databases.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { installTarball, packTarball, type InstalledPackage } from '../support/installedPackage.js';
import { send } from '../support/service.js';

/** `npm run soak -- install` installs with npm, which compiles sqlite3 where no ready-made file can be downloaded. */
const withNpm = process.env['INSTALL'] === 'npm';
let tarball: string;
let installed: InstalledPackage;
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  // For a user that owns nothing of it.
  chmodSync(folder.path, 0o755);
  tarball = await packTarball(folder.path);
  chmodSync(tarball, 0o644);
  installed = await installTarball(tarball, folder.path, { withNpm });
});

const entries = (): string[] =>
  execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((name) => name.replace(/^package\//, ''));

test('the package has what runs, and documents, and nothing else', () => {
  const kinds = [
    /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|openapi\.yaml|web\.yaml)$/,
    /^dist\/(?:build|openapi|web)\.json$/,
    /^dist\/files\/(?:swagger-ui-dist\/swagger-ui(?:-bundle\.js|\.css)|@expo-google-fonts\/(?:open-sans|vazirmatn)\/\w+\/\w+\.ttf)$/,
    /^dist\/program\/[\w@.-]+\.cjs(?:\.LEGAL\.txt)?$/,
    /^dist\/(?:program|web)\/licences\.txt$/,
    /^dist\/types\/src\/(?:framework|contract(?:\/bodies)?|errors|lib)\/\w+\.d\.ts$/,
    /^dist\/web\/reference\/reference\.(?:js|css)$/,
    /^dist\/web\/(?:index\.html|assets\/[\w.-]+\.(?:js|css)(?:\.gz)?)$/,
    /^deploy\/grafana\/voucherd\.json$/,
    /^deploy\/prometheus\/(?:alerts(?:\.test)?|scrape)\.yaml$/,
    /^deploy\/systemd\/voucherd(?:-backup)?\.(?:env|service|socket|sysusers|timer)$/,
    /^docs\/(?:[\w-]+\.md|requests\.http)$/,
    /^scripts\/(?:healthCheck|voucherd|tasks\/(?:nodeVersion|program))\.mjs$/,
    /^src\/i18n\/(?:guests|texts)\/\w\w(?:-\w\w)?\.json$/,
    /^tools\/contract\/scenarios\.d\.ts$/,
  ];
  const files = entries();
  expect(files.filter((name) => !kinds.some((kind) => kind.test(name)))).toEqual([]);
  expect(kinds.filter((kind) => !files.some((name) => kind.test(name)))).toEqual([]);
});

test('the package is small', () => {
  // Texts in 15 languages and a font for Persian are half a megabyte of it, the contract run a quarter, what services of
  // one's own are built on a fifth, and the controllers of two more vendors a twentieth.
  expect(statSync(tarball).size).toBeLessThan(5_500_000);
});

test('it names its version, commit and date', async () => {
  expect(await installed.run(['--version'])).toMatch(/^\d+\.\d+\.\d+\S* \((?:\w{7}\S*, )?\d{4}-\d\d-\d\d\)$/);
});

test('it runs with source maps enabled, too, which an installation does not have', async () => {
  expect(await installed.run(['--version'], { NODE_OPTIONS: '--enable-source-maps' })).toMatch(/^\d/);
});

describe.each(['SQLite', 'PostgreSQL'])('installed by a user that owns nothing else, on %s', (name) => {
  test('it serves: first administrator, key, voucher, pages, reference and a slip', async () => {
    const database = name === 'SQLite' ? undefined : await makeEmptyPostgresDatabase();
    const env = {
      PORT: '0',
      // A busy machine may need longer.
      STOP_DEADLINE_S: '600',
      DATABASE_TIMEOUT_S: '120',
      DATA_DIR: join(installed.folder, `data-${name}`),
      ...(database && { DATABASE_URL: database.url }),
    };
    const service = installed.serve(['--json'], env);
    const [, url = ''] = await service.find(/^\{"url":"([^"]+)"\}$/m);
    const [, token = ''] = await service.find(/\/first-start#token=(\S+)/);
    const headers = { Origin: url, 'Content-Type': 'application/json' };
    const administrator = await send(url, 'POST', '/web/first-administrator', {
      headers,
      body: { token, name: 'Anna', password: goodPassword },
    });
    expect(administrator.status).toBe(201);
    const [session = ''] = administrator.headers['set-cookie'] ?? [];

    await installed.run(['controller', 'add', '--name', 'Zentrale', '--kind', 'simulated'], env);
    const site = Number(
      await installed.run(['site', 'add', '--name', 'Haus', '--controller', 'Zentrale'], env),
    );
    const key = await installed.run(['key', 'create', '--name', 'Kasse', '--scope', 'write'], env);
    const voucher = await send(url, 'POST', '/vouchers.php', { key, body: { site_id: site, name: 'Anna' } });
    expect(voucher).toMatchObject({ status: 201, body: { success: true, site: 'Haus' } });
    for (const path of [
      '/',
      '/docs/',
      '/docs/swagger-ui-bundle.js',
      '/openapi.php',
      '/openapi.yaml',
      '/healthz',
    ])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    const slip = await send(url, 'POST', '/web/vouchers/slips', {
      headers: { ...headers, Cookie: session.replace(/;.*/, '') },
      body: { voucherIds: [1], layout: 'slip', language: 'de' },
    });
    expect(slip).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } });
    expect(await service.end('SIGTERM')).toBe(0);
    await database?.drop();
  });
});

(withNpm ? test.skip : test)('without the compiled part of sqlite3 it says how to get it', async () => {
  const build = join(installed.folder, 'node_modules/sqlite3/build');
  rmSync(build, { recursive: true });
  const refused = installed.run(['migrate', '--yes'], { DATA_DIR: join(installed.folder, 'other') });
  await expect(refused).rejects.toThrow(
    /^voucherd: sqlite3 is installed without its compiled part: .*npm rebuild sqlite3$/m,
  );
});
