import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { servedContracts } from '../scenarios/servedContracts.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import { runContractProgram } from '../../tools/contract/src/program.js';
import { security } from '../../tools/contract/src/security/security.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import { startTarget } from '../scenarios/startTarget.js';
import { childEnv, root } from '../support/built.js';
import { startFaultInjectionProxy } from '../support/faultInjectionProxy.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startService, type TestService } from '../support/service.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { contract, optionsOf, runStageOn } from './stageRun.js';

let service: TestService;
let folder: TestFolder;
let siteId: number;
let keys: Record<'KEY' | 'READ_KEY' | 'LIMITED_KEY', string>;

beforeAll(async () => {
  // Most real ones share their host.
  service = await startService({ env: { BASE_PATH: '/wifi' } });
  // The contract's examples speak of a site 1, which here is not the one to use.
  await service.addSite({ name: 'Zu', active: false });
  siteId = await service.addSite({ name: 'Hauptgebäude' });
  keys = {
    KEY: await service.addKey(),
    READ_KEY: await service.addKey({ scope: 'read', rateLimit: 100_000 }),
    LIMITED_KEY: await service.addKey({ scope: 'read', rateLimit: 3 }),
  };
  folder = await makeFolder();
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const stages: readonly Stage[] = [conformance, generated, security];

interface Run {
  readonly status: number;
  readonly out: string;
}

/** `npm run contract -- <args> --url …`. */
const runContract = async (env: Record<string, string>, ...args: string[]): Promise<Run> => {
  const printed: string[] = [];
  const status = await runContractProgram({
    served: servedContracts,
    args: ['--url', service.url, '--out', folder.path, '--runs', '5', '--seed', '1', ...args],
    env,
    screen: { isTerminal: false, columns: 80, write: (text) => printed.push(text) },
    complain: (line) => printed.push(line),
    now: Date.now,
    loadStages: async (names) => stages.filter(({ name }) => names.includes(name)),
    startTarget,
    onInterrupt: () => undefined,
  });
  return { status, out: printed.join('') };
};

/** The same as built, in a process of its own. */
const runBuiltContract = (env: Record<string, string>, ...args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const fixed = ['--url', service.url, '--out', folder.path, '--runs', '5', '--seed', '1'];
    const child = execFile(
      process.execPath,
      ['dist/scripts/contract.js', ...fixed, ...args],
      { cwd: root, env: childEnv(env) },
      (_, stdout, stderr) => {
        resolve({ status: child.exitCode ?? -1, out: stdout + stderr });
      },
    );
  });

const shown = ['--key-env', 'KEY', '--read-key-env', 'READ_KEY'];
const vouchers = async (): Promise<number> => {
  const list = await service.get(`/vouchers.php?site_id=${siteId}`, { key: keys.KEY });
  const listed = (list.body as { vouchers: unknown[] }).vouchers.length;
  return listed + (await controllerVouchers(service, siteId).catch(() => [])).length;
};

describe('a run with keys, but without --allow-writes', () => {
  let run: Run;
  let created: number;
  let reports: Record<string, string>;

  beforeAll(async () => {
    const before = await vouchers();
    run = await runContract(keys, 'conformance', 'generated', 'security', ...shown);
    created = (await vouchers()) - before;
    const files = await readdir(folder.path);
    reports = Object.fromEntries(
      await Promise.all(files.map(async (file) => [file, await readFile(join(folder.path, file), 'utf8')])),
    );
  });

  test('creates nothing, and skips whatever would need it with the reason', () => {
    expect(run.out).toMatch(/skipped: needs --allow-writes: POST \/vouchers\.php may create something/);
    expect(run.status).toBe(0);
    expect(created).toBe(0);
  });

  test('skips what can not be seen from outside with the reason', () => {
    for (const reason of [
      'needs a service of the run, to send requests while the database can not be read',
      '409 needs a site whose controller does not answer',
      '502 needs a site whose controller returns no voucher',
      'needs a revoked key: only a service of the run has one',
      'needs an expired key: only a service of the run has one',
    ]) {
      expect(run.out).toContain(`skipped: ${reason}`);
    }
  });

  test('skips what comes after a limit without a limited key', () => {
    expect(run.out).toMatch(/\d skipped: needs --limited-key, a key whose limit may be used up/);
  });

  test('shows no key in what is printed or in a report', () => {
    expect(Object.keys(reports)).toContain('index.html');
    for (const text of [run.out, ...Object.values(reports)]) {
      for (const key of Object.values(keys)) expect(text.includes(key.slice(12))).toBe(false);
    }
  });
});

test('without --allow-writes nothing is created even on a service that lets everybody in', async () => {
  const before = await vouchers();
  const proxy = await startFaultInjectionProxy(new URL(service.url).origin, {
    request: (request) => ({
      ...request,
      headers: [
        ...request.headers.filter(([name]) => !/^(authorization|x-api-key)$/i.test(name)),
        ['X-API-Key', keys.KEY],
      ],
    }),
  });
  const { status } = await runContract(
    keys,
    'conformance',
    'security',
    ...shown,
    '--url',
    `${proxy.url}/wifi`,
  );
  await proxy.stop();
  expect(status).toBe(1);
  expect(await vouchers()).toBe(before);
});

describe('a run with --allow-writes', () => {
  const named = async (): Promise<string[]> => {
    const list = await service.get(`/vouchers.php?site_id=${siteId}`, { key: keys.KEY });
    const { vouchers: listed } = list.body as { vouchers: { voucher_name: string; voucher_code: string }[] };
    return listed.map(({ voucher_name: name }) => name.replace(/^[\d-]+_/, ''));
  };

  test('says before it starts what it will send and make, and keeps to it', async () => {
    const before = await named();
    const limited = ['--limited-key-env', 'LIMITED_KEY'];
    const allowed = [...shown, ...limited, '--allow-writes', '--max-vouchers', '24'];
    const { status, out } = await runContract(keys, 'conformance', 'generated', 'security', ...allowed);
    expect(status).toBe(0);
    // A limited key shows what comes after its limit.
    expect(out).not.toContain('needs --limited-key');
    const made = (await named()).slice(0, -before.length || undefined);
    const [, requests] =
      /^ {5}at most (\d+) requests will be sent \(conformance \d+, generated \d+, security \d+\)$/m.exec(
        out,
      )!;
    const [, sent] = /^(\d+) requests sent to /m.exec(out)!;
    expect(Number(sent)).toBeGreaterThan(100);
    expect(Number(sent)).toBeLessThanOrEqual(Number(requests));
    expect(out).toContain('at most 24 vouchers will be made, with names that begin with "contract-run-1"');
    expect(out.indexOf('at most 24 vouchers')).toBeLessThan(out.search(/^ok +conformance /m));
    expect(made.length).toBeGreaterThan(10);
    expect(made.length).toBeLessThanOrEqual(24);
    expect(made.filter((name) => !name.startsWith('contract-run-1'))).toEqual([]);
  });

  test('names what it has made at its end, and the command that revokes it', async () => {
    const allowed = [...shown, '--allow-writes', '--max-vouchers', '3'];
    const { out } = await runContract(keys, 'conformance', ...allowed);
    const [, codes = ''] = /^On its machine: npx voucherd voucher revoke ([\d ]+)$/m.exec(out)!;
    expect(out).toMatch(/^\d+ requests sent to http\S+, 3 vouchers made there\.$/m);
    expect(out).toContain("The API can't revoke vouchers");
    const summary = await readFile(join(folder.path, 'summary.md'), 'utf8');
    expect(summary).toContain('3 vouchers made there.');
    expect(codes.split(' ').filter((code) => summary.includes(code))).toEqual([]);
    const made = await controllerVouchers(service, siteId);
    expect(codes.split(' ')).toHaveLength(3);
    for (const code of codes.split(' ')) expect(made.map((one) => one.code)).toContain(code);
  });

  test('leaves out what its limits do not allow, and says so', async () => {
    const before = await vouchers();
    const none = await runContract(keys, 'conformance', ...shown, '--allow-writes', '--max-vouchers', '0');
    expect(none.out).toContain('skipped: --max-vouchers 0 is used up');
    expect(none.status).toBe(0);
    expect(await vouchers()).toBe(before);
    const few = await runContract(keys, 'conformance', ...shown, '--max-requests', '30');
    expect(few.out).toContain('--max-requests 30: what does not fit is left out, and said below');
    expect(few.out).toMatch(/^ +\d+ --max-requests 30 is used up$/m);
    expect(few.status).toBe(0);
  });
});

test('every cell of the contract is tested or excused, also while a list is empty', async () => {
  const empty = await startService();
  const keyOf = async (scope: 'read' | 'write'): Promise<string> => empty.addKey({ scope });
  const options = optionsOf(
    '--url',
    empty.url,
    '--key',
    await keyOf('write'),
    '--read-key',
    await keyOf('read'),
  );
  const target = await startTarget(servedContracts[0], contract, options);
  const untested = async (stage: Stage): Promise<string[]> => {
    const { coverage } = await runStageOn(stage, target, contract, options);
    return coverage.cells
      .filter(({ state }) => state === 'untested')
      .map(({ operationId, name }) => `${operationId} ${name}`);
  };
  const [after, also] = [await untested(conformance), await untested(generated)];
  expect(after.filter((cell) => also.includes(cell))).toEqual([]);
  await target.close();
  await empty.stop();
});

test('without any key only what needs none is tried', async () => {
  const { status, out } = await runContract({}, 'conformance');
  expect(out).toContain('skipped: needs --read-key or --key');
  expect(out).toContain('skipped: needs --key, a key with the scope write');
  expect(status).toBe(0);
});

test('the built program ends a stage at once when a key is not valid, and does not show the key', async () => {
  const key = `uvt_${'1'.repeat(40)}`;
  const { status, out } = await runBuiltContract(
    { KEY: key },
    'conformance',
    'generated',
    'security',
    '--key-env',
    'KEY',
  );
  expect(out).toContain('--key is not a valid key of this service: it answers 401');
  expect(out).not.toContain(key);
  expect(status).toBe(1);
});
