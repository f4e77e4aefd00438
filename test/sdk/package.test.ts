import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/contract.js';
import { root } from '../support/built.js';
import { contractFile } from '../support/contract.js';
import { exampleRequests } from '../support/exampleRequests.js';
import { withApi } from '../support/api.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { strictOptions } from './strictOptions.js';

const run = promisify(execFile);
const compilerOf = (name: string): string => join(root, 'node_modules', name, 'bin/tsc');

const api = withApi({ site: { name: 'Gästehaus' } });
/** The package, in a folder of its own: `dist` belongs to all tests. */
let sdk: string;
let help: string;

/** A project of somebody else, which has nothing of this one but the tarball. */
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  const cwd = folder.path;
  const script = join(root, 'dist/scripts/sdk/main.js');
  sdk = join(cwd, 'sdk');
  help = (await run(process.execPath, [script, '--out', sdk, '--help'])).stdout;
  await expect(stat(sdk)).rejects.toThrow('ENOENT');
  await run(process.execPath, [script, '--out', sdk]);
  await run('npm', ['pack', sdk, '--pack-destination', cwd], { cwd });
  const tarball = (await readdir(cwd)).find((file) => file.endsWith('.tgz')) ?? '';
  await writeFile(join(cwd, 'package.json'), '{"name":"guest-book","private":true,"type":"module"}');
  await run('npm', ['install', `./${tarball}`, '--prefer-offline', '--no-audit', '--no-fund'], { cwd });
  await writeFile(
    join(cwd, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: strictOptions, include: ['*.ts'] }),
  );
});

test('the script tells what it does when it is asked for help', () => {
  expect(help.startsWith('npm run sdk')).toBe(true);
});

/** Compiles what is in the folder, and returns what the compiler says. */
const compile = async (
  files: Readonly<Record<string, string>>,
  compiler = 'typescript-native',
): Promise<string> => {
  for (const [name, source] of Object.entries(files)) await writeFile(join(folder.path, name), source);
  return run(process.execPath, [compilerOf(compiler), '-p', folder.path], { cwd: folder.path }).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
};

test('in a project of its own, the packed client creates and lists vouchers, with types', async () => {
  const { key, siteId } = api;
  const program = {
    'use.ts': `
    import { createVoucherClient, isApiError, type ErrorCode } from 'voucherd-client';
    declare const process: { argv: string[] };
    const [, , baseUrl = '', apiKey = '', site = ''] = process.argv;
    const client = createVoucherClient({ baseUrl, auth: apiKey });
    const { sites } = await client.listSites();
    const created = await client.createVoucher({ body: { site_id: Number(site), name: 'Familie Berger', qos: { down: 5000 } } });
    const formatted: string = created.formatted_code;
    const { vouchers } = await client.listVouchers({ query: { site_id: Number(site) } });
    const status: 'valid' | 'used' | 'expired' | undefined = vouchers[0]?.status;
    let code: ErrorCode | undefined;
    try {
      await client.createVoucher({ body: { site_id: 4711, name: 'Niemand' } });
    } catch (error) {
      if (isApiError(error)) code = error.code;
    }
    console.log(JSON.stringify({ sites, formatted, status, listed: vouchers[0]?.voucher_code, made: created.code, code }));
  `,
  };
  // The compiler that many still use.
  expect(await compile(program, 'typescript')).toBe('');
  const { stdout } = await run(process.execPath, ['use.js', api.url, key, String(siteId)], {
    cwd: folder.path,
  });
  const results = JSON.parse(stdout) as Record<string, unknown>;
  expect(results).toEqual({
    sites: [{ id: siteId, name: 'Gästehaus' }],
    formatted: expect.stringMatching(/^\d{5}-\d{5}$/),
    status: 'valid',
    listed: results['made'],
    made: expect.stringMatching(/^\d{10}$/),
    code: 'not_found',
  });
});

test('every operation of the contract is a method of the client', async () => {
  const { key } = api;
  const calls = exampleRequests().map(
    ({ operationId, sdkOptions }) =>
      `['${operationId}', await client.${operationId}(${JSON.stringify(sdkOptions)})]`,
  );
  const program = `import { createVoucherClient } from 'voucherd-client';
    const [, , baseUrl, apiKey] = process.argv;
    const client = createVoucherClient({ baseUrl, auth: apiKey });
    console.log(JSON.stringify([${calls.join(', ')}]));`;
  await writeFile(join(folder.path, 'each.js'), program);
  const { stdout } = await run(process.execPath, ['each.js', api.url, key], { cwd: folder.path });
  const answers = JSON.parse(stdout) as [string, object][];
  const { operations } = loadContract(contractFile);
  expect(answers.map(([id]) => id)).toEqual([...operations.keys()]);
  for (const [, answer] of answers) expect(answer).toEqual(expect.any(Object));
});

const wrong = {
  'a field that the contract does not know': `client.createVoucher({ body: { site_id: 1, name: 'x', color: 'red' } })`,
  'a field of another type': `client.createVoucher({ body: { site_id: 'one', name: 'x' } })`,
  'a missing field': `client.createVoucher({ body: { site_id: 1 } })`,
  'a missing parameter': `client.listVouchers({ query: {} })`,
  'a field that no answer has': `(await client.listSites()).places`,
};

test(`what does not compile: ${Object.keys(wrong).join(', ')}`, async () => {
  const files = Object.values(wrong).map((expression, index): [string, string] => [
    `wrong${index}.ts`,
    `import { createVoucherClient } from 'voucherd-client';
     const client = createVoucherClient({ baseUrl: '', auth: '' });
     export const result = await ${expression};`,
  ]);
  const complaints = await compile(Object.fromEntries(files));
  const complainedOf = [...complaints.matchAll(/^(\w+\.ts)\(3,\d+\): error TS/gm)].map(([, file]) => file);
  expect(complainedOf).toEqual(files.map(([file]) => file));
});

test('the package’s own tests pass', async () => {
  const { stdout } = await run('npm', ['test'], { cwd: sdk });
  // How a line begins depends on the version of Node.
  expect(stdout).toMatch(/^[#ℹ] pass [1-9]/m);
  expect(stdout).toMatch(/^[#ℹ] fail 0$/m);
});
