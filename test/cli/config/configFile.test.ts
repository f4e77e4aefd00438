import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectOneLine } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import {
  apiKey,
  contentOf,
  fillConfiguration,
  makeFileFolder,
  outcomesOf,
  phrases,
  withPhrase,
} from './configFixture.js';

const folder = forAllTests(makeFileFolder, 'remove');

describe('a file', () => {
  let good: string;
  const cli = forAllTests(() => makeCliFixture({ K: apiKey, ...phrases }), 'remove');
  beforeAll(async () => {
    await fillConfiguration(cli);
    const file = folder.newFile();
    await cli.voucherd('config', 'export', file, ...withPhrase);
    good = readFileSync(file, 'utf8');
  });
  const importText = (text: string, ...options: string[]) =>
    cli.voucherd('config', 'import', folder.newFile(text), ...withPhrase, ...options);
  const head = 'voucherd: configuration\nversion: 1\n';
  const lineOf = (text: string): number => good.split('\n').findIndex((line) => line.includes(text)) + 1;

  test('can be piped, and read from standard input', async () => {
    const { out } = await cli.voucherd('config', 'export', '-', '--without-secrets');
    const ended = await cli.typing(Readable.from([out]), 'config', 'import', '-', '--dry-run', '--json');
    expect(new Set(outcomesOf(ended).map(([, , outcome]) => outcome))).toEqual(new Set(['same']));
  });

  test('of a demo can be imported: a simulated controller has several sites without names of its own', async () => {
    const site = { active: true, controller: 'Demo', ssid: null, wifiKind: 'open', isWifiHidden: false };
    const content = JSON.stringify({
      ...{ voucherd: 'configuration', version: 1 },
      controllers: [{ name: 'Demo', kind: 'simulated', settings: {}, credentials: null }],
      sites: [101, 102].map((id) => ({ ...site, id, name: `Haus ${String(id)}`, controllerSite: null })),
    });
    for (const outcome of ['created', 'same']) {
      const outcomes = outcomesOf(await importText(content, '--json'));
      expect(outcomes.map(([part, , became]) => [part, became])).toEqual([
        ['controllers', outcome],
        ['sites', outcome],
        ['sites', outcome],
      ]);
    }
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

  test('has the order of the profiles and their default', async () => {
    const limits = { maxUses: 1, expireMinutes: 10_080, down: 0, up: 0, quotaMb: 0, sites: 'all' };
    const content = (...profiles: object[]) =>
      JSON.stringify({ voucherd: 'configuration', version: 1, profiles });
    const placed = content(
      { name: 'Zuerst', ...limits, position: 1 },
      { name: 'Woche', ...limits, position: 2 },
    );
    expect(outcomesOf(await importText(placed, '--json'))).toEqual([
      ['profiles', 'Zuerst', 'created'],
      ['profiles', 'Woche', 'same'],
      ['profiles', 'order', 'differs'],
    ]);
    const outcomes = outcomesOf(await importText(placed, '--update', '--json'));
    expect(outcomes).toContainEqual(['profiles', 'order', 'changed']);
    const stored = await cli.tables.profiles.all();
    expect(stored.map(({ name }) => name).slice(0, 2)).toEqual(['Zuerst', 'Woche']);
    const both = { ...limits, isDefault: true };
    expectOneLine(
      await importText(content({ name: 'Eins', ...both }, { name: 'Zwei', ...both })),
      'there is one default at most',
    );
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
  const refused = (): [what: string, text: () => string, line: RegExp | string][] => [
    ['is empty', () => '', /\.yaml: the file is empty$/m],
    ['holds comments alone', () => '# nothing\n', /\.yaml: the file is empty$/m],
    ['is a list', () => '[]', /:1:1: must be object$/m],
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
      /\.yaml:\d+:\d+: unknown field "activ"$/m,
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
      /\.yaml:\d+:\d+: port: must be integer$/m,
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
    [
      'has a client secret for another provider',
      () => good.replace('https://login.example.org/hotel', 'https://login.example.org/other'),
      /\.yaml:\d+:\d+: it was sealed for another name or address, or was changed/,
    ],
    [
      'has a provider without encryption',
      () => good.replace('issuer: https:', 'issuer: http:'),
      'the issuer is not an https address',
    ],
    [
      'has a provider where no server is',
      () => good.replace('issuer: https://login.example.org', 'issuer: https://169.254.169.254'),
      /\.yaml:\d+:\d+: /,
    ],
    [
      'has domains for another proof',
      () => good.replace('emailProof: domain', 'emailProof: email_verified'),
      'emailDomains: only for the proof by domain',
    ],
    [
      'has an own text with an unknown placeholder',
      () => good.replace('Willkommen in {site}', 'Willkommen in {password}'),
      'de, slipHeading, line 1, column 15: unknown placeholder',
    ],
    [
      'has a long own text',
      () => good.replace('kioskTitle: Hallo', `kioskTitle: ${'x'.repeat(65_536)}`),
      /must NOT have more than \d+ characters/,
    ],
    [
      'has own texts in an unknown language',
      () => good.replace('pt-BR:', 'tlh:'),
      /:\d+:\d+: texts: unknown field "tlh"/,
    ],
    [
      'has own texts of a site twice',
      () => `${head}ownTexts: [{site: null, texts: {}}, {site: null, texts: {}}]\n`,
      'the site is there twice',
    ],
    [
      'has own texts of a site that it does not have',
      () => `${head}ownTexts: [{site: 9, texts: {}}]\n`,
      'there is no site 9 in the file',
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
  ];

  test('that is wrong is refused with one line, and changes nothing', async () => {
    const before = await cli.tables.revisions.total();
    for (const [what, text, line] of refused()) {
      const { status, out, err } = await importText(text(), '--update');
      expect({ what, out, err }).toEqual({
        what,
        out: '',
        err: expect.stringMatching(/^voucherd: [^\n]+\n$/),
      });
      expect({ what, isFailure: status !== 0 }).toEqual({ what, isFailure: true });
      expect({ what, err }).toEqual({
        what,
        err: typeof line === 'string' ? expect.stringContaining(line) : expect.stringMatching(line),
      });
    }
    expect(await cli.tables.revisions.total()).toBe(before);
  });

  test('that is missing or no text is refused', async () => {
    expectOneLine(await cli.voucherd('config', 'import', folder.newFile()), /\.yaml does not exist$/m);
    const binary = folder.newFile('');
    writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x00]));
    expectOneLine(await cli.voucherd('config', 'import', binary), 'not a text in UTF-8');
  });

  test('a secret that does not open stops an export, which names it', async () => {
    const [konsole] = await cli.tables.controllers.all();
    await cli.tables.controllers.change(konsole!.id, { settings: { url: 'https://elsewhere.example.org' } });
    expectOneLine(
      await cli.voucherd('config', 'export', folder.newFile(), ...withPhrase),
      'controller "Konsole" was sealed with another key or for another address',
    );
  });
});
