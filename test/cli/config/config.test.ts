import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectOneLine, run } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { makePostgresDatabase, makeSqliteDatabase, type TestDatabase } from '../../support/databases.js';
import { forAllTests } from '../../support/fixture.js';
import {
  apiKey,
  contentOf,
  fillConfiguration,
  makeFileFolder,
  outcomesOf,
  phrases,
  webhookAddress,
  wifiPassword,
  withPhrase,
} from './configFixture.js';

const folder = forAllTests(makeFileFolder, 'remove');

describe('an export and its import', () => {
  let [databases, clis]: [TestDatabase[], CliFixture[]] = [[], []];
  let [source, target]: CliFixture[] = [];
  const open = async (make = makeSqliteDatabase): Promise<CliFixture> => {
    const database = await make();
    const cli = await makeCliFixture({ DATABASE_URL: database.url, K: apiKey, ...phrases });
    databases.push(database);
    clis.push(cli);
    return cli;
  };
  beforeAll(async () => {
    [source, target] = [await open(), await open(makePostgresDatabase)];
    await fillConfiguration(source);
  });
  afterAll(async () => {
    for (const cli of clis)
      expect(await cli.leaked([apiKey, webhookAddress, wifiPassword, phrases.PHRASE])).toEqual([]);
    for (const cli of clis) await cli.remove();
    for (const database of databases) await database.drop();
    [databases, clis] = [[], []];
  });
  let file: string;

  test('an export is one readable file for this user alone, whose secrets are sealed', async () => {
    file = folder.newFile();
    expect(await source!.voucherd('config', 'export', file, ...withPhrase)).toMatchObject({
      status: 0,
      out: `${file}: controllers 2, sites 2, profiles 1, printers 1, webhooks 2, kiosks 1, orderLimits 2, settings 1, mailServer 1, smsProvider 1, identityProvider 1, ownTexts 2, branding 1\nIts secrets are sealed: keep the pass phrase in another place.\n`,
    });
    const text = readFileSync(file, 'utf8');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(text).toContain('name: Hauptgebäude');
    for (const secret of [apiKey, 'geheim', phrases.PHRASE]) expect(text).not.toContain(secret);
    expectOneLine(await source!.voucherd('config', 'export', file, ...withPhrase), 'exists already');
  });

  test('a dry run says what would be created, and writes nothing', async () => {
    const before = await contentOf(target!);
    const ended = await target!.voucherd('config', 'import', file, ...withPhrase, '--dry-run');
    expect(ended).toMatchObject({
      status: 0,
      out: expect.stringContaining('controllers      2 would be created, 0 would be changed, 0 left\n'),
      err: expect.stringContaining('nothing was written: this was a dry run\n'),
    });
    expect(await contentOf(target!)).toEqual(before);
  });

  test('an import from SQLite into PostgreSQL makes the same: ids of sites, links of kiosks and secrets, too', async () => {
    expectOneLine(
      await target!.voucherd('config', 'import', file, '--pass-phrase-env', 'OTHER_PHRASE'),
      'the pass phrase is not the one that it was sealed with',
    );
    const ended = await target!.voucherd('config', 'import', file, ...withPhrase, '--json');
    expect(ended).toMatchObject({ status: 0, err: '' });
    expect(new Set(outcomesOf(ended).map(([, , outcome]) => outcome))).toEqual(
      new Set(['created', 'changed']),
    );
    const [wanted, made] = [await contentOf(source!), await contentOf(target!)];
    const withoutIds = (content: typeof wanted) => ({
      ...content,
      controllers: content.controllers.map((one) => ({ ...one, identity: null })),
    });
    expect(withoutIds(made)).toEqual(withoutIds(wanted));
    const entries = await target!.tables.auditLog.newest({}, undefined, 100);
    const actions = entries.map(({ action, actorKind }) => `${actorKind} ${action}`).sort();
    expect(actions).toEqual(
      [
        ...[
          'controller.add',
          'controller.add',
          'kiosk.add',
          'limit.add',
          'limit.add',
          'printer.add',
          'profile.add',
          'profile.default',
          'profile.order',
          'setting.branding',
          'setting.mail',
          'setting.single-sign-on',
          'setting.sms',
          'sign-in-rules.change',
        ],
        ...['site.add', 'site.add', 'site.texts', 'site.texts', 'webhook.add', 'webhook.add'],
      ].map((action) => `command line ${action}`),
    );
    // Ids go on behind those that were imported.
    expect(
      (
        await target!.voucherd(
          'site',
          'add',
          '--name',
          'Neu',
          '--controller',
          'Haus',
          '--controller-site',
          'x',
        )
      ).out,
    ).toBe('3\n');
  });

  test('a second import changes nothing', async () => {
    const before = await target!.tables.revisions.total();
    const ended = await target!.voucherd('config', 'import', file, ...withPhrase, '--update', '--json');
    expect(new Set(outcomesOf(ended).map(([, , outcome]) => outcome))).toEqual(new Set(['same']));
    expect(await target!.tables.revisions.total()).toBe(before);
  });

  test('what differs stays as it is without --update, and is changed with it', async () => {
    const edited = folder.newFile(
      readFileSync(file, 'utf8')
        .replace('name: Nebengebäude\n    active: false', 'name: Anbau\n    active: true')
        .replace('quotaMb: 0', 'quotaMb: 500')
        .replace('port: 9100', 'port: 9101')
        .replace('isDefault: true', 'isDefault: false')
        .replace('maxPerDay: 50', 'maxPerDay: 60')
        .replace('latencyMs: 5', 'latencyMs: 7')
        .replace('- admin', '- staff')
        .replace('name: Hotel-Konto', 'name: Konto des Hotels')
        .replace('kioskTitle: Hallo', 'kioskTitle: ""')
        .replace('slipHeading: Willkommen in', 'slipHeading: Hallo in'),
    );
    const before = await contentOf(target!);
    const left = await target!.voucherd('config', 'import', edited, ...withPhrase);
    expect(left).toMatchObject({
      status: 0,
      err: [
        'left: controllers: "Haus" differs (settings); --update changes it',
        'left: sites: "2 Anbau" differs (name, active); --update changes it',
        'left: profiles: "Tagesgast" differs (quotaMb); --update changes it',
        'left: profiles: "default" differs (default); --update changes it',
        'left: printers: "Empfang" differs (port); --update changes it',
        'left: orderLimits: "kiosk, site 1" differs (maxPerDay); --update changes it',
        'left: settings: "second factor" differs (secondFactorRoles); --update changes it',
        'left: identityProvider: "login.example.org" differs (name); --update changes it',
        'left: ownTexts: "all sites" differs (de.slipHeading); --update changes it',
        'left: ownTexts: "site 1" differs (de.kioskTitle); --update changes it',
        '',
      ].join('\n'),
    });
    expect(await contentOf(target!)).toEqual(before);
    expect(await target!.voucherd('config', 'import', edited, ...withPhrase, '--update')).toMatchObject({
      status: 0,
    });
    const after = await contentOf(target!);
    expect(after.sites[1]).toMatchObject({ name: 'Anbau', active: true, controllerSite: 'abc' });
    expect(after.profiles[0]).toMatchObject({ quotaMb: 500, siteIds: [1], position: 0, isDefault: false });
    expect(after.orderLimits[0]).toMatchObject({ role: 'kiosk', siteId: 1, maxPerDay: 60 });
    expect(after.printers[0]).toMatchObject({ port: 9101 });
    expect(after.controllers[1]).toMatchObject({ settings: { latencyMs: 7 } });
    expect(after.rules).toEqual({ secondFactorRoles: ['staff'] });
    expect(after.identityProvider).toMatchObject({
      ...{ name: 'Konto des Hotels', emailProof: 'domain', clientSecret: 'geheim Client 47' },
    });
    expect(after.ownTexts).toEqual([
      [0, { de: { slipHeading: 'Hallo in {site}' } }],
      [1, { de: { kioskText: 'WLAN:\n{wifi}' }, 'pt-BR': { kioskTitle: 'Olá' } }],
    ]);
    expect(after.controllers[0]?.credentials).toBe(JSON.stringify({ apiKey }));
  });

  test('without secrets it says what has to be entered, and what can not be created', async () => {
    const plain = folder.newFile();
    await source!.voucherd('config', 'export', plain, '--without-secrets');
    expect(readFileSync(plain, 'utf8')).not.toContain('v2:');
    const empty = await open();
    const ended = await empty.voucherd('config', 'import', plain);
    expect(ended).toMatchObject({ status: 0 });
    expect(ended.err).toContain('to do: controllers: "Konsole" has no credentials: ');
    for (const [part, name, secret, page] of [
      ['mailServer', 'mail.example.org', 'password', 'E-mail'],
      ['smsProvider', 'sms.example.org', 'secret', 'SMS'],
      ['identityProvider', 'login.example.org', 'secret', 'Users'],
    ] as const)
      expect(ended.err).toContain(
        `left: ${part}: "${name}" can not be set up without its ${secret}: enter it on the page ${page}\n`,
      );
    expect(ended.err).toContain('left: webhooks: "Chat" can not be created without its address');
    expect((await empty.voucherd('controller', 'list')).out).toContain('Konsole');
    expect(await empty.voucherd('controller', 'credentials', 'Konsole', '--api-key-env', 'K')).toMatchObject({
      status: 0,
    });
    expect((await contentOf(empty)).controllers[0]?.credentials).toBe(JSON.stringify({ apiKey }));
  });

  test('all of it is written, or nothing', async () => {
    for (const make of [makeSqliteDatabase, makePostgresDatabase]) {
      const empty = await open(make);
      await empty.database.write.schema.renameTable('kiosks', 'other');
      await empty.database.write.raw('create view kiosks as select * from other');
      const before = await empty.tables.revisions.total();
      if (empty.database.dialect === 'postgres')
        await empty.database.write.raw('create rule refused as on insert to kiosks do instead select 1/0');
      const ended = await empty.voucherd('config', 'import', file, ...withPhrase);
      expect(ended).toMatchObject({ status: expect.any(Number), out: '' });
      expect(ended.status).not.toBe(0);
      expect([await empty.tables.controllers.all(), await empty.tables.sites.all()]).toEqual([[], []]);
      expect(await empty.tables.revisions.total()).toBe(before);
    }
  });

  test('a site that is another one here is a conflict, and changes nothing', async () => {
    const other = await open();
    for (const line of [
      'controller add --name Fremd --kind simulated',
      'site add --name Fremdhaus --controller Fremd',
    ])
      await other.voucherd(...line.split(' '));
    const before = await contentOf(other);
    expectOneLine(
      await other.voucherd('config', 'import', file, ...withPhrase, '--update'),
      /\.yaml:\d+:\d+: site 1 is another one here, "Fremdhaus" on "Fremd": import into a new database/,
    );
    expect(await contentOf(other)).toEqual(before);
  });
});

test('an import needs --yes where no database is', async () => {
  const file = folder.newFile('voucherd: configuration\nversion: 1\n');
  const env = { DATA_DIR: join(folder.path, 'new') };
  expectOneLine(await run(['config', 'import', file], env), '--yes');
  expect(await run(['config', 'import', file, '--yes'], env)).toMatchObject({ status: 0 });
});
