import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findBrowser } from '../../scripts/tasks/browser.mjs';
import { withApi } from '../support/api.js';
import { shareBrowser } from '../support/browser.js';
import { root } from '../support/built.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { sampleLanguages } from '../../web/reference/sampleLanguages.js';
import { sentRequest, type SampleRequest } from '../../web/reference/sampleRequest.js';
import { absent, available, runSample, runSamples, startRecorder, type Arrived } from './sampleRuns.js';

const run = promisify(execFile);
const inBrowser = (await findBrowser()) ? describe : describe.skip;

beforeAll(() => {
  if (absent.length > 0)
    process.stderr.write(`Not run, for want of an interpreter: the samples in ${absent.join(', ')}.\n`);
});

const api = withApi({ site: { name: 'Gästehaus' } });
const folder = forAllTests(makeFolder, 'remove');

inBrowser('the samples on the page', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await shareBrowser();
    page = await browser.newPage();
    await page.goto(`${api.url}/docs`);
    await page.getByText('Create a voucher').waitFor();
    for (const summary of await page.locator('.opblock-summary-control').all()) await summary.click();
    expect(api.siteId).toBe(1);
  });
  afterAll(() => page.close());

  const sampleOf = async (operationId: string, language: string): Promise<string> => {
    const samples = page.locator(`[id$=-${operationId}]`).getByRole('region', { name: 'Code samples' });
    await samples.getByRole('button', { name: language, exact: true }).click();
    return samples.locator('pre').innerText();
  };

  test.each(available)('in %s can be copied and run', async (language) => {
    expect(
      await runSample(folder.path, language, await sampleOf('createVoucher', language), api.key),
    ).toMatch(/"success":true,"code":"\d+".*"max_uses":2/);
    expect(
      await runSample(folder.path, language, await sampleOf('listVouchers', language), api.key),
    ).toContain('Familie Berger');
  });

  test.each(available.filter((language) => language !== 'curl'))(
    'in %s fail when the service refuses the request',
    async (language) => {
      const sample = await sampleOf('listSites', language);
      await expect(runSample(folder.path, language, sample, 'uvt_falsch')).rejects.toThrow('401');
    },
  );

  test('in TypeScript compile with strict settings', async () => {
    const sources = join(folder.path, 'typescript');
    await mkdir(sources);
    for (const operation of ['listSites', 'listVouchers', 'createVoucher'])
      await writeFile(join(sources, `${operation}.mts`), await sampleOf(operation, 'TypeScript'));
    const options = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: 'nodenext',
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
    };
    await writeFile(join(sources, 'tsconfig.json'), JSON.stringify(options));
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    await expect(run(process.execPath, [compiler, '-p', sources])).resolves.toMatchObject({ stdout: '' });
  });

  test('in PHP have the form of PHP, also where there is none to run them', async () => {
    expect(await sampleOf('createVoucher', 'PHP')).toBe(`<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('VOUCHERD_KEY'),
        'Content-Type: application/json',
    ],
    'content' => json_encode([
        'site_id' => 1,
        'name' => 'Familie Berger',
        'max_uses' => 2,
        'expire_minutes' => 1440,
        'qos' => [
            'down' => 20000,
            'up' => 5000,
            'quota_mb' => 2048,
        ],
    ]),
    'follow_location' => 0,
    'ignore_errors' => true,
]]);
$response = fopen('${api.url}/vouchers.php', 'r', false, $context);
if ($response === false) throw new RuntimeException('no answer');
$status = explode(' ', stream_get_meta_data($response)['wrapper_data'][0])[1];
$body = stream_get_contents($response);
if ($status >= 400) throw new RuntimeException("$status $body");
echo $body;`);
  });

  test('the chosen language is that of all operations, and the sample can be copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const sample = await sampleOf('listSites', 'Python');
    const samples = page.locator('[id$=-listVouchers]').getByRole('region', { name: 'Code samples' });
    expect(await samples.locator('pre').innerText()).toContain('urllib.request');
    const first = page.locator('[id$=-listSites]').getByRole('region', { name: 'Code samples' });
    await first.getByRole('button', { name: 'Copy' }).click();
    await first.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sample);
  });

  test('a request that was sent from the form is shown as it was sent', async () => {
    const operation = page.locator('[id$=-createVoucher]');
    await operation.locator('textarea').fill('{"site_id":1,"name":"Aus dem Formular"}');
    await operation.locator('input[placeholder="Idempotency-Key"]').fill('versuch-1');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '401' }).waitFor();
    const sample = await sampleOf('createVoucher', 'curl');
    expect(sample).toContain(`-H 'Idempotency-Key: versuch-1'`);
    expect(sample).toContain(`-d '{"site_id":1,"name":"Aus dem Formular"}'`);
  });
});

/** What a shell, a string or a template could take for something of its own. */
const hostile = `'"\\ $KEY \`id\` %s {x} \${y} ä € 😀 \n <?php`;
const texts = {
  'what interpreters could take for theirs': hostile,
  'several lines, indented or not': 'first\n  second\n\n\tthird\r\nfourth\rfifth',
  'ends of quotes': `''' """ \\' \\" '\\'' \\`,
  'dollar signs': '$ $x ${x} {$x} {${x}} $(id) $$ $1 \\$x',
  'markers of heredocs': "<<<EOT\nEOT;\n<<'EOF'\nEOF\n?> <?php -->",
  'backslashes before everything': '\\n \\u0041 \\x41 \\0 \\\\ \\',
  'control characters': '\u0001\u0007\b\u000b\f\u001b\u007f\u0085\u2028\u2029\ufeff.',
  'an at sign at the start': '@/etc/passwd',
};

const oddNames = [
  '{"__proto__":{"a":1}}',
  '{"0":"a","1":"b"}',
  '{"-5":{"7":[]}}',
  '{"a":"\\ud83d"}',
  '{"":""}',
];
const oddHeader = `'"\\ $KEY \`id\` %s @x`;
const bodyWith = (text: string) => ({ name: text, deep: { list: [[text]], [text]: { more: text } } });

interface Sent extends Pick<SampleRequest, 'body' | 'bodyText'> {
  readonly odd?: string;
}

/** The requests whose samples are run, each with a name. */
const requests: Record<string, Sent> = {
  ...Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => [
      [`${name}: value`, { body: bodyWith(text) }],
      [`${name}: text`, { bodyText: text }],
    ]),
  ),
  ...Object.fromEntries(oddNames.map((json) => [json, { body: JSON.parse(json) as unknown }])),
  'odd header': { body: {}, odd: oddHeader },
  'empty header': { body: {}, odd: '' },
};
const names = Object.keys(requests);

describe.each(available)('a sample in %s', (language) => {
  let complaints: string;
  const recorder = forAllTests(startRecorder, 'close');
  beforeAll(async () => {
    const write = sampleLanguages[language];
    const samples = Object.values(requests).map(({ odd = '', ...sent }, index) => {
      const headers = [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Odd', value: odd },
      ];
      return write({ method: 'POST', url: `${recorder.url}/${index}/a?b[]={c,d}`, headers, ...sent });
    });
    complaints = await runSamples(folder.path, language, samples);
  });

  /** What arrived when the sample of a request was run. */
  const arrived = (name: string): Arrived => {
    const found = recorder.got.get(String(names.indexOf(name)));
    if (!found) throw new Error(`nothing arrived. ${complaints}`);
    return found;
  };

  test('sends texts as they are, whatever is in them', async () => {
    const [key, siteId] = [await api.addKey(), await api.addSite()];
    const text = sampleLanguages[language]({
      method: 'POST',
      url: `${api.url}/vouchers.php`,
      headers: [
        { name: 'X-API-Key', prefix: '', isKey: true },
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Odd', value: `'"\\ $KEY \`id\` %s` },
      ],
      body: { site_id: siteId, name: hostile, more: { none: null, no: false, list: [1.5, []], empty: {} } },
    });
    expect(await runSample(folder.path, language, text, key)).toContain('"success":true');
    const { body } = await api.get(`/vouchers.php?site_id=${siteId}`, { key });
    const { vouchers } = body as { vouchers: { voucher_name: string }[] };
    expect(vouchers[0]!.voucher_name.replace(/^[^_]*_/, '')).toBe(hostile.trim());
  });

  test('sends what means something to interpreters, as values and as a text', () => {
    for (const [name, text] of Object.entries(texts)) {
      expect([name, JSON.parse(arrived(`${name}: value`).body)]).toEqual([name, bodyWith(text)]);
      expect([name, arrived(`${name}: text`).body]).toEqual([name, text]);
    }
  });

  test('sends names of fields that a language has a meaning for, and half a surrogate pair', () => {
    for (const json of oddNames) expect(JSON.parse(arrived(json).body)).toEqual(JSON.parse(json));
  });

  test('sends a header as it is, also without a value', () => {
    expect(arrived('odd header').odd).toBe(oddHeader);
    expect(arrived('empty header').odd).toBe('');
  });
});

test('a body that was sent is shown as the text it was where its value would be another one', () => {
  const bodyOf = (body: string) => sentRequest({}, { method: 'POST', url: 'http://localhost/', body }, []);
  expect(bodyOf('{ "a" : [1, "b c"] }')).toMatchObject({ body: { a: [1, 'b c'] } });
  for (const text of ['{"a":9007199254740993}', '{"a":1e400}', '{"a":1,"a":2}', '{"a":', '"a" b', ''])
    expect(bodyOf(text)).toMatchObject({ bodyText: text });
});

test('the key that was sent is in no sample, wherever it was sent', () => {
  const key = 'uvt_0123456789abcdef';
  const contract = {
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
  };
  const sent = {
    method: 'POST',
    url: `http://localhost/a?key=${key}`,
    headers: { Authorization: `Bearer ${key}`, 'x-api-key': key, 'X-Other': key },
    body: JSON.stringify({ key }),
  };
  for (const write of Object.values(sampleLanguages))
    expect(write(sentRequest(contract, sent, [key]))).not.toContain(key);
});
