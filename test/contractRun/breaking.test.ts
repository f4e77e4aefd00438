import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { changelog, makeBreaking } from '../../tools/contract/src/breaking/breaking.js';
import type { Change, Severity } from '../../tools/contract/src/breaking/change.js';
import { findEarlier } from '../../tools/contract/src/breaking/earlier.js';
import { judgeVersion, nextVersion } from '../../tools/contract/src/breaking/version.js';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { contractFile } from '../support/contract.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { optionsOf, runStageAlone } from './stageRun.js';

const source = readFileSync(contractFile, 'utf8');

const folder = forEachTest(makeFolder, 'remove');

const change = (severity: Severity, id = 'some-change'): Change => ({
  severity,
  id,
  operation: 'GET /bees',
  text: 'it changed',
  at: 'openapi.yaml:1:1',
});

describe('the version', () => {
  const raised: readonly [from: string, to: string, severities: Severity[], verdict: string][] = [
    ['1.0.0', '1.0.0', [], 'enough'],
    ['1.0.0', '2.0.0', ['breaking'], 'enough'],
    ['1.0.0', '1.1.0', ['breaking'], 'too low for a breaking change'],
    ['1.0.0', '1.0.0', ['compatible', 'breaking'], 'too low for a breaking change'],
    ['0.3.1', '0.4.0', ['breaking'], 'enough'],
    ['0.3.1', '0.3.2', ['breaking'], 'too low for a breaking change'],
    ['0.3.1', '1.0.0', ['breaking'], 'enough'],
    ['1.0.0', '1.0.0', ['compatible'], 'not raised'],
    ['1.0.0', '1.0.1', ['compatible'], 'enough'],
    ['1.0.0', '1.1.0', ['risky'], 'enough'],
    ['1.1.0', '1.0.0', [], 'lowered'],
    ['1.9.0', '1.10.0', ['compatible'], 'enough'],
    ['summer', 'summer', ['breaking'], 'too low for a breaking change'],
    ['summer', 'autumn', ['breaking'], 'enough'],
  ];
  const next: readonly [from: string, changes: Change[], next: string | undefined][] = [
    ['1.2.3', [change('breaking')], '2.0.0'],
    ['0.2.3', [change('breaking')], '0.3.0'],
    ['1.2.3', [change('compatible', 'operation-added')], '1.3.0'],
    ['1.2.3', [change('compatible', 'request-bound-loosened')], '1.2.4'],
    ['summer', [change('breaking')], undefined],
  ];

  test('is enough, too low, not raised or lowered, by the worst change', () => {
    const judged = raised.map(([from, to, severities]) => {
      const changes = severities.map((severity) => change(severity));
      return [from, to, severities, judgeVersion(from, to, changes)];
    });
    expect(judged).toEqual(raised);
  });

  test('that would fit is the next one', () => {
    expect(next.map(([from, changes]) => [from, changes, nextVersion(from, changes)])).toEqual(next);
  });
});

describe('the stage', () => {
  const run = async (after: string, before = source) => {
    const stage = makeBreaking({
      earlier: async () => ({ name: 'v1.0.0', source: before }),
    });
    const { stages, attachments } = await runStageAlone(stage, {
      contract: parseContractModel(after),
      options: optionsOf(),
    });
    return { cases: stages[0]!.cases, changelog: attachments[0]!.text };
  };
  const removed = source.replace('        site: { type: string, description: Name of the site }\n', '');

  test('passes when nothing changed', async () => {
    const { cases, changelog: text } = await run(source);
    expect(cases).toMatchObject([{ outcome: 'passed' }]);
    expect(text).toContain('Nothing that a client can notice changed since v1.0.0.');
  });

  test('fails for a breaking change that no version announces', async () => {
    const { cases } = await run(removed);
    expect(cases).toMatchObject([
      {
        outcome: 'failed',
        name: 'POST /vouchers.php: response-property-removed',
        operationId: 'createVoucher',
        problem: {
          what: "property 'site' of the 201 response was removed. This breaks clients: take it back, or announce it: info.version 2.0.0",
          line: 'CreatedVoucher:',
        },
      },
      {
        outcome: 'failed',
        problem: {
          what: 'There are breaking changes, but 1.0.0 → 1.0.0 does not announce them; at least 2.0.0 would fit',
          line: 'version: 1.0.0',
        },
      },
    ]);
  });

  test('passes for a breaking change that the version announces', async () => {
    const { cases, changelog: text } = await run(removed.replace('version: 1.0.0', 'version: 2.0.0'));
    expect(cases.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
    expect(text).toBe(
      "# Changes of the contract: 1.0.0 → 2.0.0\n\nCompared with v1.0.0.\n\n## Breaking\n\n### POST /vouchers.php\n\n- Property 'site' of the 201 response was removed\n",
    );
  });

  test('warns when something was added and the version stayed', async () => {
    const added = source.replace(
      '        site: { type: string, desc',
      '        when: { type: string }\n        site: { type: string, desc',
    );
    const { cases } = await run(added);
    expect(cases.map(({ outcome }) => outcome)).toEqual(['passed', 'warned']);
    expect(cases[1]?.problem?.what).toContain(
      'The contract changed, but its version did not: 1.0.0 → 1.0.0; at least 1.1.0',
    );
  });

  test('is skipped with a reason where there is nothing to compare with', async () => {
    const stage = makeBreaking({ earlier: async () => ({ reason: 'this is no git checkout' }) });
    const { stages, attachments } = await runStageAlone(stage, {
      contract: parseContractModel(source),
      options: optionsOf(),
    });
    expect(stages[0]!.cases).toMatchObject([{ outcome: 'skipped', reason: 'this is no git checkout' }]);
    expect(attachments).toEqual([]);
  });

  test('fails when what it should compare with is not available', async () => {
    const { stages } = await runStageAlone(makeBreaking(), {
      contract: parseContractModel(source),
      options: optionsOf('--against', 'no/such-branch'),
    });
    expect(stages[0]!.cases).toMatchObject([
      {
        outcome: 'failed',
        problem: { what: expect.stringContaining('"no/such-branch" is neither a file nor a git revision') },
      },
    ]);
  });
});

test('the changelog groups changes by what they mean and where they are', () => {
  const text = changelog({ name: 'v1', version: '1.0.0' }, '1.1.0', [
    { ...change('compatible'), text: 'something was added' },
    { ...change('risky'), text: 'the operationId changed' },
    { ...change('compatible'), operation: undefined, text: 'a scheme was added' },
  ]);
  expect(text).toBe(`# Changes of the contract: 1.0.0 → 1.1.0

Compared with v1.

## May break some clients

### GET /bees

- The operationId changed

## Compatible

### GET /bees

- Something was added

### All operations

- A scheme was added
`);
});

describe('the contract to compare with', () => {
  const git = (...args: string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'init.defaultBranch=main', ...args],
      {
        cwd: folder.path,
        env: { PATH: process.env['PATH'], HOME: folder.path },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ).toString();
  const file = () => join(folder.path, 'openapi.yaml');
  const commit = (text: string): void => {
    writeFileSync(file(), text);
    git('add', '.');
    git('commit', '-qm', text);
  };

  test('is what was committed last or named, and that of the last tag once there is one', async () => {
    writeFileSync(file(), 'first');
    expect(await findEarlier(file(), undefined)).toEqual({
      reason: expect.stringContaining('no git checkout'),
    });
    git('init', '-q');
    expect(await findEarlier(file(), undefined)).toEqual({ reason: 'the contract is not committed yet' });
    commit('first');
    commit('second');
    writeFileSync(file(), 'not committed');
    expect(await findEarlier(file(), undefined)).toMatchObject({ name: 'HEAD', source: 'second' });
    expect(await findEarlier(file(), 'HEAD~1')).toMatchObject({ name: 'HEAD~1', source: 'first' });
    expect(await findEarlier(file(), 'main:openapi.yaml')).toMatchObject({ source: 'second' });
    git('clone', '-q', '--depth=1', `file://${folder.path}`, 'shallow');
    expect(await findEarlier(join(folder.path, 'shallow/openapi.yaml'), undefined)).toEqual({
      reason: expect.stringContaining('shallow checkout'),
    });
    git('tag', 'v1.0.0', 'HEAD~1');
    expect(await findEarlier(file(), undefined)).toMatchObject({ name: 'v1.0.0', source: 'first' });
  });

  test('has the other files of its own revision, and is found from a folder inside the repository', async () => {
    git('init', '-q');
    mkdirSync(join(folder.path, 'api/schemas'), { recursive: true });
    const other = join(folder.path, 'api/schemas/a b.yaml');
    const inside = join(folder.path, 'api/openapi.yaml');
    writeFileSync(inside, 'first');
    writeFileSync(other, 'old');
    commit('first');
    writeFileSync(other, 'new');
    const found = [await findEarlier(inside, 'HEAD'), await findEarlier(inside, 'HEAD:api/openapi.yaml')];
    for (const earlier of found) {
      const readFile = 'readFile' in earlier ? earlier.readFile : undefined;
      if (!readFile) throw new Error('it has no other files');
      expect(readFile('schemas/a b.yaml')).toBe('old');
      expect(() => readFile('schemas/none.yaml')).toThrow();
    }
    expect(await findEarlier(inside, undefined)).toMatchObject({ source: 'first' });
  });

  test('is a file', async () => {
    writeFileSync(join(folder.path, 'old.yaml'), 'old');
    const old = join(folder.path, 'old.yaml');
    expect(await findEarlier(file(), old)).toEqual({ name: old, source: 'old' });
  });

  test('is at a URL, of which reports show no query', async () => {
    const server: Server = createServer((req, res) => {
      res.statusCode = req.url?.startsWith('/openapi.yaml') ? 200 : 404;
      res.end('served');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await findEarlier(file(), `${base}/openapi.yaml?token=secret`)).toMatchObject({
      name: `${base}/openapi.yaml`,
      source: 'served',
    });
    await expect(findEarlier(file(), `${base}/other?token=secret`)).rejects.toThrow(
      `${base}/other answers 404`,
    );
    server.close();
    server.closeAllConnections();
    await expect(findEarlier(file(), `${base}/openapi.yaml`)).rejects.toThrow('cannot be reached');
  });
});
