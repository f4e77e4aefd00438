import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cellsOf } from '../../tools/contract/src/coverage/cells.js';
import { stageNames } from '../../tools/contract/src/options.js';
import { contractFile } from '../support/contract.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { fakeStage, fakeTarget, runProgramWith } from './programRun.js';
import { contract } from './stageRun.js';

const folder = forEachTest(makeFolder, 'remove');

const passing = fakeStage('lint', ({ recorder }) => recorder.passed({ name: 'all is well' }));
const failing = fakeStage('types', ({ recorder }) =>
  recorder.failed({ name: 'the types are current' }, { what: 'they are not' }),
);

describe('the exit status', () => {
  test('is 0 when no stage found anything', async () => {
    expect(await runProgramWith(folder.path, [passing], ['lint'])).toMatchObject({
      status: 0,
      complaints: [],
    });
  });

  test('is 1 when a stage found something', async () => {
    expect((await runProgramWith(folder.path, [passing, failing], ['lint', 'types'])).status).toBe(1);
  });

  test('is 0 for warnings and skips', async () => {
    const stage = fakeStage('breaking', ({ recorder }) => {
      recorder.warned({ name: 'the version rose' }, { what: 'it did not' });
      recorder.skipped({ name: 'something else' }, 'there is no git here');
    });
    const ran = await runProgramWith(folder.path, [stage], ['breaking']);
    expect(ran.status).toBe(0);
    expect(ran.printed).toContain('warn breaking    2 cases, 1 warned, 1 skipped');
    expect(ran.printed).toContain('1 skipped: there is no git here');
  });

  const wrongUsage: readonly [args: string[], line: string][] = [
    [['nonsense'], 'there is no stage "nonsense"; the stages are lint, types, breaking'],
    [['--sed', '1'], "unknown option '--sed'"],
    [['--seed', 'x'], '--seed'],
    [['--runs', '0'], 'It is no whole number from 1 to 1000000.'],
    [['--url', 'localhost:3000'], 'It is no address that starts with http:// or https://.'],
    [['--allow-writes'], '--allow-writes belongs to --url'],
    [['--key', 'k'.repeat(20)], '--key belongs to --url'],
    [['--url', 'http://h', '--key-env', 'NONE'], '--key-env: the variable NONE is not set'],
    [['--url', 'http://h', '--key-file', '/nonexistent'], '--key-file: /nonexistent cannot be read'],
    [['--contract', '/nonexistent.yaml'], '--contract: /nonexistent.yaml cannot be read (ENOENT)'],
    [['--against', '--exec=x'], '--against'],
    // A folder that the system does not make.
    [['lint', '--out', '/proc/x'], '--out: /proc/x cannot be written'],
  ];

  test('is 2 with one clear line for wrong usage', async () => {
    for (const [args, line] of wrongUsage) {
      const { status, complaints } = await runProgramWith(folder.path, [passing], args);
      expect({ args, status, complaints }).toEqual({
        ...{ args, status: 2 },
        complaints: [expect.stringContaining(line)],
      });
      expect(complaints[0]).not.toContain('\n');
    }
  });

  test('is 0 for --help, which names every stage and option', async () => {
    const ran = await runProgramWith(folder.path, [], ['--help']);
    expect(ran.status).toBe(0);
    for (const word of [
      ...stageNames,
      '--url',
      '--key-env',
      '--read-key-file',
      '--allow-writes',
      '--against',
    ]) {
      expect(ran.printed).toContain(word);
    }
  });
});

test('a stage that breaks off fails, and the others run all the same', async () => {
  const broken = fakeStage('lint', () => Promise.reject(new Error('the disk is full')));
  const last = fakeStage('security', ({ recorder }) => recorder.passed({ name: 'nobody gets in' }));
  const ran = await runProgramWith(folder.path, [broken, last], ['lint', 'security']);
  expect(ran.status).toBe(1);
  expect(ran.printed).toContain('FAIL lint');
  expect(ran.printed).toContain('the disk is full');
  expect(ran.printed).toContain('ok   security');
});

test('a contract that is no YAML fails the first stage with its place; the others are skipped', async () => {
  const file = join(folder.path, 'broken.yaml');
  writeFileSync(file, 'openapi: 3.0.3\ninfo: {title: [}\n');
  const ran = await runProgramWith(folder.path, [passing, failing], ['--contract', file, 'lint', 'types']);
  expect(ran.status).toBe(1);
  expect(ran.printed).toMatch(/FAIL lint {8}2 cases, 1 failed/);
  expect(ran.printed).toMatch(/broken\.yaml:2:\d+\n +info: \{title: \[\}/);
  expect(ran.printed).toContain('skip types');
  expect(ran.report('junit.xml')).toContain('the contract can be loaded');
});

test('a contract with an unknown anchor fails with its place, and is not one that cannot be read', async () => {
  const file = join(folder.path, 'anchor.yaml');
  writeFileSync(file, readFileSync(contractFile, 'utf8').replace('tags: [sites]', 'tags: *sites'));
  const ran = await runProgramWith(folder.path, [passing, failing], ['--contract', file, 'lint', 'types']);
  expect(ran.status).toBe(1);
  expect(ran.printed).toMatch(/there is no anchor &sites[^]*anchor\.yaml:\d+:13\n +tags: \*sites/);
});

test('each of several contracts is run by itself, and has its name in the reports', async () => {
  const other = join(folder.path, 'web.yaml');
  writeFileSync(other, readFileSync(contractFile, 'utf8').replace('version: 1.0.0', 'version: 2.0.0'));
  const seen: string[] = [];
  const stage = fakeStage('lint', ({ recorder, contract: { version } }) => {
    seen.push(version);
    recorder.passed({ name: `version ${version}` });
  });
  const ran = await runProgramWith(
    folder.path,
    [stage],
    ['lint', '--contract', 'openapi.yaml', '--contract', other],
  );
  expect(seen).toEqual(['1.0.0', '2.0.0']);
  expect(ran.printed).toMatch(/openapi\.yaml 1\.0\.0\n[^]*ok {3}lint[^]*web\.yaml 2\.0\.0\n[^]*ok {3}lint/);
  expect(ran.printed).toContain('ok   2 stages, 2 cases');
  expect([...ran.report('junit.xml').matchAll(/testsuite name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'api lint',
    'web lint',
  ]);
  expect(ran.report('summary.md')).toContain('web.yaml 2.0.0');
});

describe('a problem', () => {
  test('is printed with what, where, the line itself, the request and the seed', async () => {
    const stage = fakeStage('generated', ({ recorder, contract }) =>
      recorder.failed(
        { name: 'listSites: every answer is documented' },
        {
          what: 'The answer has the status 418',
          at: contract.at(['paths', '/sites.php', 'get', 'operationId']),
          curl: "curl -H 'X-API-Key: '$KEY http://localhost:3000/sites.php",
          seed: 7,
        },
      ),
    );
    const ran = await runProgramWith(folder.path, [stage], ['generated']);
    const line = readFileSync(contractFile, 'utf8').split('\n').indexOf('      operationId: listSites') + 1;
    expect(ran.printed).toContain(
      [
        'FAIL generated   1 case, 1 failed in 1.5 s',
        '     ✗ listSites: every answer is documented',
        '       The answer has the status 418',
        `       openapi.yaml:${line}:20`,
        '         operationId: listSites',
        "       curl -H 'X-API-Key: '$KEY http://localhost:3000/sites.php",
        '       seed 7',
      ].join('\n'),
    );
  });

  test('is printed at most twenty times; the reports have all', async () => {
    const stage = fakeStage('lint', ({ recorder }) => {
      for (let n = 1; n <= 25; n += 1) recorder.failed({ name: `case number ${n}.` }, { what: 'wrong' });
    });
    const ran = await runProgramWith(folder.path, [stage], ['lint']);
    expect(ran.printed).toContain('case number 20.');
    expect(ran.printed).not.toContain('case number 21.');
    expect(ran.printed).toContain('… and 5 more in');
    expect(ran.report('index.html')).toContain('case number 25.');
    expect(ran.report('junit.xml')).toContain('case number 25.');
  });
});

describe('coverage', () => {
  const cells = cellsOf(contract);
  const covering = (except: number) =>
    stageNames.map((name) =>
      fakeStage(name, ({ recorder }) => {
        recorder.passed({ name: 'done' });
        if (name === 'conformance') cells.slice(except).forEach((cell) => recorder.covered(cell));
      }),
    );

  test('a run of all stages that tried everything ends with 0', async () => {
    const ran = await runProgramWith(folder.path, covering(0));
    expect(ran.status).toBe(0);
    expect(ran.printed).toContain(`Coverage: ${cells.length} tested ✓, 0 excused (n), 0 untested ✗`);
  });

  test('something untested ends a run of all stages with 1, and is named', async () => {
    const ran = await runProgramWith(folder.path, covering(1));
    expect(ran.status).toBe(1);
    expect(ran.printed).toContain('✗ 200   ✓ 304');
    expect(ran.printed).toContain('FAIL 1 part of the contract untested');
  });

  test('something excused is no failure; its reason is numbered', async () => {
    const excusing = fakeStage('security', ({ recorder }) =>
      recorder.excused(cells[0]!, 'nobody may ask for it here'),
    );
    const ran = await runProgramWith(folder.path, [...covering(1).slice(0, -1), excusing]);
    expect(ran.status).toBe(0);
    expect(ran.printed).toContain('(1) 200   ✓ 304');
    expect(ran.printed).toContain('(1) nobody may ask for it here');
  });

  test('what is untested does not count in a run of some stages', async () => {
    const ran = await runProgramWith(folder.path, [passing], ['lint']);
    expect(ran.printed).toContain('Coverage is judged in a run of all stages.');
    expect(ran.status).toBe(0);
  });

  test('a stage that covers what the contract does not have fails the run', async () => {
    const stage = fakeStage('lint', ({ recorder }) =>
      recorder.covered({ operationId: 'listSites', kind: 'status', name: '418' }),
    );
    const ran = await runProgramWith(folder.path, [stage], ['lint']);
    expect(ran.status).toBe(1);
    expect(ran.printed).toContain('a stage covers what the contract does not have: listSites 418');
  });
});

describe('the service under test', () => {
  test('is started once, when the first stage asks for it, and closed at the end', async () => {
    const events: string[] = [];
    const asking = (name: 'examples' | 'security') =>
      fakeStage(name, async ({ target }) => {
        events.push(name);
        await target();
      });
    await runProgramWith(folder.path, [asking('examples'), asking('security')], ['examples', 'security'], {
      startTarget: async () => {
        events.push('start');
        return fakeTarget(() => events.push('close'));
      },
    });
    expect(events).toEqual(['examples', 'start', 'security', 'close']);
  });

  test('is not started when no stage asks for it', async () => {
    const ran = await runProgramWith(folder.path, [passing], ['lint'], {
      startTarget: () => Promise.reject(new Error('it was started')),
    });
    expect(ran.status).toBe(0);
  });

  test('that cannot be started fails every stage that needs it', async () => {
    const asking = fakeStage('examples', async ({ target }) => {
      await target();
    });
    const ran = await runProgramWith(folder.path, [asking], ['examples']);
    expect(ran.status).toBe(1);
    expect(ran.printed).toContain('this test has no service');
  });

  test('is closed when the run is interrupted, and nothing more is printed', async () => {
    const events: string[] = [];
    let interrupt = (): Promise<void> => Promise.resolve();
    const stage = fakeStage('examples', async ({ target, recorder }) => {
      await target();
      await interrupt();
      events.push('interrupted');
      recorder.failed({ name: 'the service answers' }, { what: 'it is gone' });
    });
    const ran = await runProgramWith(folder.path, [stage], ['examples'], {
      startTarget: async () => fakeTarget(() => events.push('close')),
      onInterrupt: (close) => {
        interrupt = close;
      },
    });
    expect(events).toEqual(['close', 'interrupted']);
    expect(ran.printed).toMatch(/\nInterrupted: there are no reports\.\n$/);
    expect([ran.status, ran.has('index.html')]).toEqual([1, false]);
  });
});

test('no key reaches the terminal or a report, whatever a stage tells', async () => {
  const secret = 'SECRET-key-of-the-operator';
  const own = `uvt_${'0123abcd'.repeat(5)}`;
  const stage = fakeStage('security', ({ recorder, options, attach }) => {
    const leak = `${options.key?.() ?? ''} ${own}`;
    recorder.failed({ name: `case ${leak}` }, { what: leak, at: 'openapi.yaml:1:1', curl: `curl ${leak}` });
    recorder.skipped({ name: 'other' }, leak);
    recorder.excused({ operationId: 'listSites', kind: 'status', name: '200' }, leak);
    attach('changelog.md', leak);
  });
  const args = ['security', '--url', 'http://localhost:1', '--key-env', 'KEY_OF_TEST'];
  const ran = await runProgramWith(folder.path, [stage], args, { env: { KEY_OF_TEST: secret } });
  const everything = [
    ran.printed,
    ...ran.complaints,
    ...['index.html', 'junit.xml', 'summary.md', 'changelog.md'].map(ran.report),
  ];
  for (const text of everything) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(own);
  }
  expect(ran.report('index.html')).toContain('--key-env KEY');
});

test('a complaint about an argument does not repeat the secret in it', async () => {
  for (const args of [
    ['uvt_0123456789abcdef'],
    ['--url', 'http://admin:geheim@host/'],
    ['--against', 'https://admin:geheim@host/openapi.yaml'],
  ]) {
    const ran = await runProgramWith(folder.path, [passing], args);
    expect(ran.status).toBe(2);
    expect(ran.complaints[0]).not.toMatch(/uvt_0123|geheim/);
  }
});
