import { execFile, execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findBrowser } from '../../../scripts/tasks/browser.mjs';
import { codeSampleScript } from '../../../src/http/pages/codeSamples.js';
import { startBrowser } from '../../support/browser.js';
import { root } from '../../support/built.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';
import { withService } from '../../support/service.js';

const run = promisify(execFile);
const inBrowser = (await findBrowser()) ? describe : describe.skip;

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** How a sample is run as its reader would run it. */
const interpreters: Record<string, { program: string; file: string; argv: string[] }> = {
  curl: { program: 'curl', file: 'sample.sh', argv: ['sh', 'sample.sh'] },
  TypeScript: { program: 'node', file: 'sample.mjs', argv: ['node', 'sample.mjs'] },
  Python: { program: 'python3', file: 'sample.py', argv: ['python3', 'sample.py'] },
  PHP: { program: 'php', file: 'sample.php', argv: ['php', 'sample.php'] },
};
const available = Object.entries(interpreters).filter(([, { program }]) => has(program));

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const runSample = async (language: string, text: string, key: string): Promise<string> => {
  const { file, argv } = interpreters[language]!;
  const [program = '', ...rest] = argv;
  await writeFile(join(folder.path, file), text);
  const env = { ...process.env, VOUCHERD_KEY: key };
  return (await run(program, rest, { cwd: folder.path, env })).stdout;
};

interface SampleRequest {
  method: string;
  url: string;
  headers: { name: string; value?: string; prefix?: string; isKey?: boolean }[];
  body?: unknown;
}

interface CodeSamples {
  languages: Record<string, (request: SampleRequest) => string>;
  sentRequest(contract: object, sent: object, keys: string[]): SampleRequest;
}

/** It is a script of a page: what it makes is global there. */
const codeSamples = (): CodeSamples => {
  const page = createContext({});
  runInContext(codeSampleScript, page);
  return page['codeSamples'] as CodeSamples;
};

inBrowser('the samples on the page', () => {
  const service = withService();
  let browser: Browser;
  let page: Page;
  let key: string;
  beforeAll(async () => {
    browser = await startBrowser();
    page = await browser.newPage();
    await page.goto(`${service.url}/docs`);
    await page.getByText('Create a voucher').waitFor();
    for (const summary of await page.locator('.opblock-summary-control').all()) await summary.click();
    key = await service.addKey();
    expect(await service.addSite({ name: 'Gästehaus' })).toBe(1);
  });
  afterAll(() => browser.close());

  const sampleOf = async (operationId: string, language: string): Promise<string> => {
    const samples = page.locator(`[id$=-${operationId}]`).getByRole('region', { name: 'Code samples' });
    await samples.getByRole('button', { name: language, exact: true }).click();
    return samples.locator('pre').innerText();
  };

  test.each(available.map(([language]) => language))('in %s can be copied and run', async (language) => {
    expect(await runSample(language, await sampleOf('createVoucher', language), key)).toMatch(
      /"success":true,"code":"\d+".*"max_uses":2/,
    );
    expect(await runSample(language, await sampleOf('listVouchers', language), key)).toContain(
      'Familie Berger',
    );
    expect(await runSample(language, await sampleOf('listSites', language), key)).toContain('Gästehaus');
  });

  test.each(available.map(([language]) => language).filter((language) => language !== 'curl'))(
    'in %s fail when the service refuses the request',
    async (language) => {
      const sample = await sampleOf('listSites', language);
      await expect(runSample(language, sample, 'uvt_falsch')).rejects.toThrow('401');
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
$curl = curl_init('${service.url}/vouchers.php');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_CUSTOMREQUEST => 'POST',
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('VOUCHERD_KEY'),
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
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
]);
$body = curl_exec($curl);
if ($body === false) throw new RuntimeException(curl_error($curl));
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
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

describe.each(available.map(([language]) => language))('a sample in %s', (language) => {
  const service = withService();

  test('sends texts as they are, whatever is in them', async () => {
    const [key, siteId] = [await service.addKey(), await service.addSite()];
    const text = codeSamples().languages[language]!({
      method: 'POST',
      url: `${service.url}/vouchers.php`,
      headers: [
        { name: 'X-API-Key', prefix: '', isKey: true },
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Odd', value: `'"\\ $KEY \`id\` %s` },
      ],
      body: { site_id: siteId, name: hostile, more: { none: null, no: false, list: [1.5, []], empty: {} } },
    });
    expect(await runSample(language, text, key)).toContain('"success":true');
    const { body } = await service.get(`/vouchers.php?site_id=${siteId}`, { key });
    const { vouchers } = body as { vouchers: { voucher_name: string }[] };
    expect(vouchers[0]!.voucher_name.replace(/^[^_]*_/, '')).toBe(hostile.trim());
  });
});

test('the key that was sent is in no sample, wherever it was sent', () => {
  const { languages, sentRequest } = codeSamples();
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
  for (const write of Object.values(languages))
    expect(write(sentRequest(contract, sent, [key]))).not.toContain(key);
});
