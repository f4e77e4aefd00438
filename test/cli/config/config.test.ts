import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandLineActor } from '../../../src/cli/openTables.js';
import { draftAudit } from '../../../src/audit/audit.js';
import { credentialsBinding } from '../../../src/secrets/encryption.js';
import { openStoredSecrets } from '../../../src/secrets/secretKey.js';
import { openWebhook } from '../../../src/webhooks/webhooks.js';
import { expectOneLine, run, type Ended } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { makePostgresDatabase, makeSqliteDatabase, type TestDatabase } from '../../support/databases.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';

const apiKey = 'geheimerApiPlatzhalter5Lm';
const address = 'https://hooks.example.org/services/geheimerPlatzhalter7Uv';
const phrases = { PHRASE: 'vier Pferde ziehen leise', OTHER_PHRASE: 'vier Pferde ziehen laut' };
const withPhrase = ['--pass-phrase-env', 'PHRASE'];
const audit = draftAudit(commandLineActor, 'profile.add', 1);

/** Puts one of each part into a database. */
const fill = async (cli: CliFixture): Promise<void> => {
  await cli.add('Chat', 'slack', address);
  await cli.add('Programm', 'generic', address);
  for (const line of [
    'webhook disable Chat',
    'controller add --name Konsole --kind unifi --url https://192.168.1.1 --max-calls 8 --api-key-env K',
    'controller add --name Haus --kind simulated --latency-ms 5',
    'site add --name Hauptgebäude --controller Haus',
    'site add --name Nebengebäude --controller Konsole --controller-site abc',
    'site deactivate 2',
  ])
    expect([line, await cli.voucherd(...line.split(' '))]).toEqual([
      line,
      expect.objectContaining({ status: 0 }),
    ]);
  const { tables } = cli;
  const limits = { maxUses: 1, expireMinutes: 1440, down: 20_000, up: 5000, quotaMb: 0 };
  await tables.profiles.add({ name: 'Tagesgast', nameKey: 'tagesgast', ...limits, siteIds: [1] }, audit);
  await tables.sites.change(1, { ssid: 'Gäste: #1', slipText: 'Willkommen\nim "Haus"', defaultProfileId: 1 });
  const printer = {
    name: 'Empfang',
    nameKey: 'empfang',
    host: '192.168.1.50',
    port: 9100,
    paper: '80mm',
  } as const;
  await tables.printers.add({ ...printer, siteIds: null }, { ...audit, action: 'printer.add' });
  const kiosk = { tokenHash: 'ab'.repeat(32), siteId: 1, profileId: 1, perHour: 20, asksName: true };
  await tables.kiosks.add({ ...kiosk, createdAt: 1, createdBy: 'Anna' }, 'Hauptgebäude', audit);
  await tables.settings.setSignInRules({ secondFactorRoles: ['admin'] }, audit);
};

/** What is in the tables that the file is about, with secrets open, without times. */
const contentOf = async ({ tables, dataDir }: CliFixture) => {
  const secrets = openStoredSecrets({ secretKey: undefined, dataDir });
  return {
    controllers: (await tables.controllers.all()).map(({ sealedCredentials: sealed, ...controller }) => ({
      ...controller,
      credentials: sealed && secrets.open(sealed, credentialsBinding(controller)),
    })),
    sites: await tables.sites.details(),
    profiles: await tables.profiles.all(),
    printers: await tables.printers.all(),
    webhooks: (await tables.webhooks.all()).map((stored) => openWebhook(stored, secrets)),
    kiosks: (await tables.kiosks.all()).map(({ createdAt: _, createdBy: _by, ...kiosk }) => kiosk),
    rules: await tables.settings.signInRules(),
  };
};

let folder: TestFolder;
let files = 0;
const newFile = (text?: string): string => {
  const file = join(folder.path, `${String((files += 1))}.yaml`);
  if (text !== undefined) writeFileSync(file, text);
  return file;
};
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

interface Steps {
  readonly steps: readonly {
    part: string;
    name: string;
    outcome: string;
    fields: string[];
    todo: string | null;
  }[];
}
const outcomesOf = ({ out }: Ended): string[][] =>
  (JSON.parse(out) as Steps).steps.map(({ part, name, outcome }) => [part, name, outcome]);

describe.each([
  ['SQLite', makeSqliteDatabase],
  ['PostgreSQL', makePostgresDatabase],
])('on %s', (_, make) => {
  let [databases, clis]: [TestDatabase[], CliFixture[]] = [[], []];
  let [source, target]: CliFixture[] = [];
  const open = async (): Promise<CliFixture> => {
    const database = await make();
    const cli = await makeCliFixture({ DATABASE_URL: database.url, K: apiKey, ...phrases });
    databases.push(database);
    clis.push(cli);
    return cli;
  };
  beforeAll(async () => {
    [source, target] = [await open(), await open()];
    await fill(source);
  });
  afterAll(async () => {
    for (const cli of clis) expect(await cli.leaked([apiKey, address, phrases.PHRASE])).toEqual([]);
    for (const cli of clis) await cli.remove();
    for (const database of databases) await database.drop();
    [databases, clis] = [[], []];
  });
  let file: string;

  test('an export is one readable file for this user alone, whose secrets are sealed', async () => {
    file = newFile();
    expect(await source!.voucherd('config', 'export', file, ...withPhrase)).toMatchObject({
      status: 0,
      out: `${file}: controllers 2, sites 2, profiles 1, printers 1, webhooks 2, kiosks 1, settings 1\nIts secrets are sealed: keep the pass phrase in another place.\n`,
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
      out: expect.stringContaining('controllers  2 would be created, 0 would be changed, 0 left\n'),
      err: expect.stringContaining('nothing was written: this was a dry run\n'),
    });
    expect(await contentOf(target!)).toEqual(before);
  });

  test('an import elsewhere makes the same: ids of sites, links of kiosks and secrets, too', async () => {
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
          'printer.add',
          'profile.add',
          'sign-in-rules.change',
        ],
        ...['site.add', 'site.add', 'webhook.add', 'webhook.add'],
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
    const edited = newFile(
      readFileSync(file, 'utf8')
        .replace('name: Nebengebäude\n    active: false', 'name: Anbau\n    active: true')
        .replace('quotaMb: 0', 'quotaMb: 500')
        .replace('port: 9100', 'port: 9101')
        .replace('latencyMs: 5', 'latencyMs: 7')
        .replace('- admin', '- staff'),
    );
    const before = await contentOf(target!);
    const left = await target!.voucherd('config', 'import', edited, ...withPhrase);
    expect(left).toMatchObject({
      status: 0,
      err: [
        'left: controllers: "Haus" differs (settings); --update changes it',
        'left: sites: "2 Anbau" differs (name, active); --update changes it',
        'left: profiles: "Tagesgast" differs (quotaMb); --update changes it',
        'left: printers: "Empfang" differs (port); --update changes it',
        'left: settings: "second factor" differs (secondFactorRoles); --update changes it',
        '',
      ].join('\n'),
    });
    expect(await contentOf(target!)).toEqual(before);
    expect(await target!.voucherd('config', 'import', edited, ...withPhrase, '--update')).toMatchObject({
      status: 0,
    });
    const after = await contentOf(target!);
    expect(after.sites[1]).toMatchObject({ name: 'Anbau', active: true, controllerSite: 'abc' });
    expect(after.profiles[0]).toMatchObject({ quotaMb: 500, siteIds: [1] });
    expect(after.printers[0]).toMatchObject({ port: 9101 });
    expect(after.controllers[1]).toMatchObject({ settings: { latencyMs: 7 } });
    expect(after.rules).toEqual({ secondFactorRoles: ['staff'] });
    expect(after.controllers[0]?.credentials).toBe(JSON.stringify({ apiKey }));
  });

  test('without secrets it says what has to be entered, and what can not be created', async () => {
    const plain = newFile();
    await source!.voucherd('config', 'export', plain, '--without-secrets');
    expect(readFileSync(plain, 'utf8')).not.toContain('v2:');
    const empty = await open();
    const ended = await empty.voucherd('config', 'import', plain);
    expect(ended).toMatchObject({ status: 0 });
    expect(ended.err).toContain('to do: controllers: "Konsole" has no credentials: ');
    expect(ended.err).toContain('left: webhooks: "Chat" can not be created without its address');
    expect((await empty.voucherd('controller', 'list')).out).toContain('Konsole');
    expect(await empty.voucherd('controller', 'credentials', 'Konsole', '--api-key-env', 'K')).toMatchObject({
      status: 0,
    });
    expect((await contentOf(empty)).controllers[0]?.credentials).toBe(JSON.stringify({ apiKey }));
  });

  test('all of it is written, or nothing', async () => {
    const empty = await open();
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

describe('a file', () => {
  let cli: CliFixture;
  let good: string;
  beforeAll(async () => {
    cli = await makeCliFixture({ K: apiKey, ...phrases });
    await fill(cli);
    const file = newFile();
    await cli.voucherd('config', 'export', file, ...withPhrase);
    good = readFileSync(file, 'utf8');
  });
  afterAll(() => cli.remove());
  const importText = (text: string, ...options: string[]) =>
    cli.voucherd('config', 'import', newFile(text), ...withPhrase, ...options);
  const head = 'voucherd: configuration\nversion: 1\n';
  const lineOf = (text: string): number => good.split('\n').findIndex((line) => line.includes(text)) + 1;

  test('can be piped, and read from standard input', async () => {
    const { out } = await cli.voucherd('config', 'export', '-', '--without-secrets');
    const { Readable } = await import('node:stream');
    const ended = await cli.typing(Readable.from([out]), 'config', 'import', '-', '--dry-run', '--json');
    expect(new Set(outcomesOf(ended).map(([, , outcome]) => outcome))).toEqual(new Set(['same']));
  });

  test('can be JSON', async () => {
    const profiles = [
      { name: 'Woche', maxUses: 1, expireMinutes: 10_080, down: 0, up: 0, quotaMb: 0, sites: 'all' },
    ];
    const ended = await importText(
      JSON.stringify({ voucherd: 'configuration', version: 1, profiles }),
      '--json',
    );
    expect(outcomesOf(ended)).toEqual([['profiles', 'Woche', 'created']]);
  });

  test('changes nothing of what it leaves out, also with --update', async () => {
    const before = await contentOf(cli);
    expect(before.rules).toEqual({ secondFactorRoles: ['admin'] });
    expect(before.sites[0]).toMatchObject({ ssid: 'Gäste: #1', defaultProfileId: 1 });
    const settings = { latencyMs: 5 };
    const short = {
      ...{ voucherd: 'configuration', version: 1 },
      controllers: [{ name: 'Haus', kind: 'simulated', settings }],
      sites: [{ id: 1, name: 'Hauptgebäude', active: true, controller: 'Haus' }],
    };
    const ended = await importText(JSON.stringify(short), '--update', '--json');
    expect(outcomesOf(ended)).toEqual([
      ['controllers', 'Haus', 'same'],
      ['sites', '1 Hauptgebäude', 'same'],
    ]);
    expect(await contentOf(cli)).toEqual(before);
    const site = { ...short.sites[0], ssid: null, slipText: null, defaultProfile: null };
    const cleared = await importText(JSON.stringify({ ...short, sites: [site] }), '--update', '--dry-run');
    expect(cleared.err).toContain('sites: "1 Hauptgebäude" (ssid, slipText, defaultProfile)');
  });

  const withoutCredentials = (): string => good.replace(/\n *credentials: v2:.*/, '');
  test.each<[string, (text: string) => string]>([
    ['address', (text) => text.replace('https://192.168.1.1', 'https://192.168.1.2')],
    [
      'certificate',
      (text) => text.replace('maxCalls: 8', `maxCalls: 8\n      fingerprint: ${'AB'.repeat(32)}`),
    ],
  ])('stored credentials are not sent to another %s because a file says so', async (_, edit) => {
    const before = await contentOf(cli);
    const edited = edit(withoutCredentials());
    for (const options of [['--update'], ['--update', '--without-secrets'], ['--update', '--dry-run']])
      expectOneLine(
        await importText(edited, ...options),
        new RegExp(
          `\\.yaml:${String(lineOf('url: https') - 1)}:\\d+: controller "Konsole" has another address or certificate here, and the file has no credentials for this one: .*voucherd controller set.* or take the change back\n$`,
        ),
      );
    expectOneLine(await importText(edit(good), '--update', '--without-secrets'), 'controller set');
    expect(await contentOf(cli)).toEqual(before);
    expect(await importText(edited)).toMatchObject({
      status: 0,
      err: 'left: controllers: "Konsole" differs (settings); --update changes it\n',
    });
  });

  test('other settings of a controller change without its credentials', async () => {
    const edited = withoutCredentials().replace('maxCalls: 8', 'maxCalls: 9');
    expect(await importText(edited, '--update')).toMatchObject({ status: 0 });
    const [konsole] = (await contentOf(cli)).controllers;
    expect(konsole).toMatchObject({ settings: { maxCalls: 9 }, credentials: JSON.stringify({ apiKey }) });
    expect(await importText(good, '--update')).toMatchObject({ status: 0 });
  });

  test('credentials do not open for another address or name', async () => {
    const at = lineOf('credentials: v2');
    for (const edited of [good.replace('192.168.1.1', '192.168.1.2'), good.replaceAll('Konsole', 'Andere')])
      expectOneLine(
        await importText(edited, '--update'),
        new RegExp(`\\.yaml:${String(at)}:\\d+: it was sealed for another name or address, or was changed`),
      );
  });

  test('a webhook that has another format is a conflict', async () => {
    const edited = good.replace('language: de', 'language: en');
    expectOneLine(
      await importText(edited, '--update'),
      'has another language here, which can not be changed: remove it first',
    );
  });

  const bomb = `a: &a [x,x]\n${Array.from({ length: 30 }, (_, index) => `b${String(index)}: &b${String(index)} [*a, *a]`).join('\n')}`;
  test.each<[string, () => string, RegExp | string]>([
    ['is empty', () => '', 'must be object'],
    ['is something else', () => 'hello: world\n', 'required property'],
    ['is of a later version', () => 'voucherd: configuration\nversion: 2\n', /:2:1: version: must be 1/],
    ['is no YAML', () => `${head}sites: [`, /:3:\d+: /],
    ['has a name twice', () => `${head}sites: []\nsites: []\n`, /:4:1: .*unique/i],
    [
      'has aliases',
      () => `${head}sites: &a []\nprofiles: *a\n`,
      /:3:\d+: anchors and aliases are not allowed/,
    ],
    ['is a bomb of aliases', () => `${head}${bomb}\n`, 'anchors and aliases are not allowed'],
    ['has tags', () => `${head}sites: !!js/function x\n`, /:3:\d+: /],
    ['has an unknown field', () => `${head}site: []\n`, /:3:1: unknown field "site"/],
    [
      'has an unknown field inside',
      () => good.replace('    active: true', '    active: true\n    activ: true'),
      /sites\.0: unknown field "activ"/,
    ],
    ['has an unknown setting', () => good.replace('latencyMs: 5', 'latency: 5'), /unknown setting "latency"/],
    [
      'has a setting that is not allowed',
      () => good.replace('latencyMs: 5', 'latencyMs: -5'),
      /latency: -5 is not allowed/,
    ],
    [
      'has another type',
      () => good.replace('port: 9100', 'port: "9100"'),
      /printers\.0\.port: must be integer/,
    ],
    [
      'has a long name',
      () => good.replaceAll('Tagesgast', 'x'.repeat(65_536)),
      /must NOT have more than \d+ characters/,
    ],
    [
      'has a name that can not be shown',
      () => good.replaceAll('name: Hauptgebäude', 'name: "a\\u202eb"'),
      /can not be shown/,
    ],
    [
      'names a controller that it does not have',
      () => good.replace('controller: Haus', 'controller: Fort'),
      'there is no controller "Fort" in the file',
    ],
    [
      'names a site that it does not have',
      () => good.replace('      - 1\n', '      - 1\n      - 9\n'),
      'there is no site 9 in the file',
    ],
    [
      'has a printer in a place where none is',
      () => good.replace('192.168.1.50', '169.254.169.254'),
      'a printer can not have this address',
    ],
    ['is nested deeply', () => `${head}sites: ${'['.repeat(5000)}`, 'nested too deeply'],
    ['is nested deeply by its lines', () => `${head}sites:\n  ${'- '.repeat(5000)}x\n`, 'nested too deeply'],
    ['has very many values', () => `${head}sites: [${'1,'.repeat(500_000)}1]`, 'holds too many values'],
    ['is very large', () => `${head}# ${'x'.repeat(5 * 1024 * 1024)}\n`, 'larger than 4 MiB'],
    [
      'would take all memory',
      () => good.replace(/cost: \d+/, 'cost: 40'),
      /:\d+:\d+: a cost that is not supported/,
    ],
  ])('that %s is refused with one line, and changes nothing', async (_, text, line) => {
    const before = await cli.tables.revisions.total();
    expectOneLine(await importText(text(), '--update'), line);
    expect(await cli.tables.revisions.total()).toBe(before);
  });

  test('that is missing or no text is refused', async () => {
    expectOneLine(await cli.voucherd('config', 'import', newFile()), 'the file can not be read (ENOENT)');
    const binary = newFile('');
    writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x00]));
    expectOneLine(await cli.voucherd('config', 'import', binary), 'not a text in UTF-8');
  });

  test('a secret that does not open stops an export, which names it', async () => {
    const [konsole] = await cli.tables.controllers.all();
    await cli.tables.controllers.change(konsole!.id, { settings: { url: 'https://elsewhere.example.org' } });
    expectOneLine(
      await cli.voucherd('config', 'export', newFile(), ...withPhrase),
      'controller "Konsole" was sealed with another key or for another address',
    );
  });
});

test('an import needs --yes where no database is', async () => {
  const file = newFile('voucherd: configuration\nversion: 1\n');
  const env = { DATA_DIR: join(folder.path, 'new') };
  expectOneLine(await run(['config', 'import', file], env), '--yes');
  expect(await run(['config', 'import', file, '--yes'], env)).toMatchObject({ status: 0 });
});
