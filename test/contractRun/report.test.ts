import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { cellsOf } from '../../tools/contract/src/coverage/cells.js';
import { makeProgressBar } from '../../tools/contract/src/report/progressBar.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import { fakeStage, runProgramWith, type ProgramRun } from './programRun.js';
import { parseXml } from './reportXml.js';

const source = `openapi: 3.0.3
info:
  title: Bees
  version: 1.0.0
servers: [{ url: http://localhost:3000 }]
components: { securitySchemes: {} }
security: []
paths:
  /bees:
    get:
      operationId: listBees
      parameters:
        - { name: hive, in: query, schema: { type: integer } }
      responses:
        '200':
          content: { application/json: { schema: &bee { type: object, properties: { name: {}, legs: { items: { properties: { left: {} } } } } } } }
        '404': {}
    post:
      operationId: addBee
      requestBody:
        x-max-bytes: 1000
        content: { application/json: { schema: *bee } }
      responses:
        '201': {}
`;
const cells = cellsOf(parseContractModel(source));
const hostile = '</script><img src="https://evil.example/x"> & "quoted" \u0001 ]]> `code` | *bold*';

/** One of each: passed, failed, warned, skipped, tested, excused, untested. */
const stages: readonly Stage[] = [
  fakeStage('lint', ({ recorder }) => recorder.passed({ name: 'every operation has an x-scope' })),
  fakeStage('types', ({ recorder }) => recorder.skipped({ name: 'the types' }, 'there are none here')),
  fakeStage('breaking', ({ recorder, contract, attach }) => {
    recorder.warned(
      { name: 'info.version fits' },
      { what: 'It was not raised', at: contract.at(['info', 'version']) },
    );
    attach('changelog.md', '# Changes of the contract: 1.0.0 → 1.0.0\n');
  }),
  fakeStage('examples', ({ recorder, contract }) => {
    recorder.failed(
      { name: 'addBee body: the example fits its schema', operationId: 'addBee' },
      { what: 'max_uses must be integer', at: contract.at(['info', 'title']) },
    );
  }),
  fakeStage('conformance', ({ recorder }) => {
    cells.slice(2).forEach((cell) => recorder.covered(cell));
    recorder.excused(cells[0]!, 'nobody may ask for it here');
    recorder.passed({ name: 'listBees 200', operationId: 'listBees' });
  }),
  fakeStage('generated', ({ recorder }) => {
    recorder.failed(
      { name: `listBees: ${hostile}`, operationId: 'listBees' },
      { what: hostile, curl: `curl 'http://localhost:3000/bees?x=${hostile}'`, seed: 7 },
    );
  }),
  fakeStage('security', ({ recorder }) => recorder.passed({ name: 'nobody gets in' })),
];
let ran: ProgramRun;
const summaryFile = () => join(folder.path, 'step-summary.md');

/** A report as it would be in any other folder. */
const report = (file: string): string => ran.report(file).replaceAll(`${folder.path}/`, '');

const runAll = (own: TestFolder, env = {}): Promise<ProgramRun> => {
  const file = join(own.path, 'bees.yaml');
  writeFileSync(file, source);
  return runProgramWith(own.path, stages, ['--contract', file], { env });
};

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  writeFileSync(summaryFile(), 'what another step wrote\n');
  ran = await runAll(folder, { GITHUB_STEP_SUMMARY: summaryFile() });
});

test('the terminal shows one line per stage, the problems and the coverage table', () => {
  const shown = hostile.replace('\u0001', '\\x01');
  expect(ran.printed.replaceAll(`${folder.path}/`, ''))
    .toBe(`Contract run: bees.yaml 1.0.0 and a service started for this run
ok   lint        1 case in 1.5 s
skip types       1 case, 1 skipped in 1.5 s
     1 skipped: there are none here
warn breaking    1 case, 1 warned in 1.5 s
     ! info.version fits
       It was not raised
       bees.yaml:4:12
         version: 1.0.0
FAIL examples    1 case, 1 failed in 1.5 s
     ✗ addBee body: the example fits its schema
       max_uses must be integer
       bees.yaml:3:10
         title: Bees
ok   conformance 1 case in 1.5 s
FAIL generated   1 case, 1 failed in 1.5 s
     ✗ listBees: ${shown}
       ${shown}
       curl 'http://localhost:3000/bees?x=${shown}'
       seed 7
ok   security    1 case in 1.5 s

Coverage: 8 tested ✓, 1 excused (n), 1 untested ✗
  listBees
    statuses    (1) 200   ✗ 404
    parameters  ✓ query hive
    fields      ✓ 3 of 3
  addBee
    statuses    ✓ 201
    fields      ✓ 3 of 3
  (1) nobody may ask for it here

FAIL 2 failures in 2 stages: examples, generated; 1 part of the contract untested; 7 cases in 14.5 s
     seed 42, reports in report: index.html, summary.md, junit.xml
`);
});

describe('the JUnit file', () => {
  const suites = () => parseXml(report('junit.xml')).children;

  test('has a suite per stage and one for the coverage, with figures that fit', () => {
    const figures = suites().map(({ attributes: { name, tests, failures, skipped } }) => [
      name,
      tests,
      failures,
      skipped,
    ]);
    expect(figures).toEqual([
      ['lint', '1', '0', '0'],
      ['types', '1', '0', '1'],
      ['breaking', '1', '0', '0'],
      ['examples', '1', '1', '0'],
      ['conformance', '1', '0', '0'],
      ['generated', '1', '1', '0'],
      ['security', '1', '0', '0'],
      ['coverage', String(cells.length), '1', '1'],
    ]);
    for (const { attributes, children } of suites()) {
      expect(children).toHaveLength(Number(attributes['tests']));
      const count = (name: string) =>
        children.filter((one) => one.children.some((fixture) => fixture.name === name)).length;
      expect(String(count('failure'))).toBe(attributes['failures']);
      expect(String(count('skipped'))).toBe(attributes['skipped']);
    }
  });

  test('tells of a failure what, where, the request and the seed, whatever characters they have', () => {
    const [failed] = suites().find(({ attributes }) => attributes['name'] === 'generated')!.children;
    const written = hostile.replace('\u0001', '\ufffd').replace(']]>', ']] >');
    expect(failed!.attributes).toMatchObject({
      classname: 'generated.listBees',
      name: `listBees: ${written}`,
    });
    expect(failed!.children[0]!.text).toBe(
      `${written}\ncurl 'http://localhost:3000/bees?x=${written}'\nseed 7`,
    );
  });
});

describe('the Markdown summary', () => {
  test('has a table of the stages, the failures and the coverage', () => {
    const summary = report('summary.md');
    expect(summary).toContain('## ❌ Contract run');
    expect(summary).toContain('| **lint** what lint looks at | ✅ passed | 1 | 0 | 0 | 0 | 1.5 s |');
    expect(summary).toContain('| **examples** what examples looks at | ❌ failed | 1 | 1 | 0 | 0 | 1.5 s |');
    expect(summary).toContain('max_uses must be integer\nbees.yaml:3:10\n  title: Bees\n```');
    expect(summary).toContain(
      'To repeat: `npm run contract -- generated --contract bees.yaml --seed 42 --runs 200`',
    );
    expect(summary).toContain('Untested: `listBees 404`');
    expect(summary).toContain('1. nobody may ask for it here');
    expect(summary).toContain('# Changes of the contract: 1.0.0 → 1.0.0');
  });

  test('shows what the service answered as text', () => {
    const outside = ran.report('summary.md').replace(/^```[\s\S]*?^```$/gm, '');
    expect(outside).not.toMatch(/[^\\]<img/);
    expect(outside).not.toMatch(/[^\\]\*bold/);
  });

  test('is appended to what the steps before have written for GitHub', () => {
    const written = readFileSync(summaryFile(), 'utf8');
    expect(written).toMatch(/^what another step wrote\n## ❌ Contract run/);
    expect(written).toContain(ran.report('summary.md'));
  });
});

describe('the HTML report', () => {
  const page = () => report('index.html');

  test('needs nothing from another host, and nothing else at all', () => {
    expect(page()).not.toMatch(/<[a-z][^>]*?\s(?:src|href|action|data|srcset)=/);
    expect(page()).not.toMatch(/@import|url\(/);
    expect(page()).not.toMatch(/<(script|img|iframe|link|object|embed)\b/);
    expect(page()).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test('says first what came out, then what failed, where and how to repeat it', () => {
    const order = [
      '❌ Contract run',
      'what lint looks at',
      '<h3>examples',
      'max_uses must be integer',
      '<h3>Not tried',
      '<h3>Coverage',
      '<h3>All cases',
    ];
    const places = order.map((text) => page().indexOf(text));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(page()).toContain('bees.yaml:3:10\n  title: Bees');
    expect(page()).toContain('npm run contract -- generated --contract bees.yaml --seed 42 --runs 200');
  });

  test('shows the coverage as tested, excused with its reason, and untested', () => {
    expect(page()).toContain('<td>(1) 200<br>✗ 404</td>');
    expect(page()).toContain('<td>✓ query hive</td>');
    expect(page()).toContain('<li>nobody may ask for it here</li>');
  });

  test('has all cases, folded', () => {
    expect(page()).toContain('<details><summary>lint: what lint looks at, 1 case</summary>');
    expect(page()).not.toContain('<details open');
    expect(page()).toContain('every operation has an x-scope');
  });

  test('is readable in light and dark', () => {
    expect(page()).toContain('prefers-color-scheme: dark');
    expect(page()).toContain('<meta name="color-scheme" content="light dark">');
  });
});

describe('failures with one cause', () => {
  const wrong = { what: 'the field is missing', cause: 'the field' };
  const failing = (name: 'conformance' | 'generated', ...cases: string[]): Stage =>
    fakeStage(name, ({ recorder }) => cases.forEach((tried) => recorder.failed({ name: tried }, wrong)));
  const found = [failing('conformance', 'first', 'second'), failing('generated', 'third', 'fourth')];
  let again: ProgramRun;

  const own = forAllTests(makeFolder, 'remove');
  beforeAll(async () => {
    again = await runProgramWith(own.path, found, ['conformance', 'generated']);
  });

  test('are one failure in the terminal, and the exit status is the same', () => {
    expect(again.status).toBe(1);
    expect(again.printed).toContain(
      [
        'FAIL conformance 2 cases, 2 failed in 2.0 s',
        '     ✗ first',
        '       the field is missing',
        '       also seen in: 1 case',
        'FAIL generated   2 cases, 2 failed in 2.0 s',
        '     ✗ 2 cases for the cause found by conformance: first',
      ].join('\n'),
    );
    expect(again.printed).toContain('FAIL 1 failure in 2 stages: conformance, generated; 4 cases');
  });

  test('are one failure in the summary and on the page, with the others below it', () => {
    const summary = again.report('summary.md');
    expect(summary.match(/the field is missing/g)).toHaveLength(1);
    expect(summary).toContain('<summary>also seen in: 3 cases</summary>');
    expect(summary).toContain('- conformance: second\n- generated: third\n- generated: fourth');
    expect(again.report('index.html')).toContain('<summary>also seen in: 3 cases</summary>');
  });

  test('are one failure in the JUnit file; the others are skipped, and say why', () => {
    const { attributes, children } = parseXml(again.report('junit.xml'));
    expect(attributes).toMatchObject({ tests: '4', failures: '1', skipped: '3' });
    const [, generated] = children;
    expect(generated!.children[0]!.children.map(({ name }) => name)).toEqual(['skipped', 'system-out']);
    expect(generated!.children[0]!.children[1]!.text).toContain('the same cause as conformance: first');
  });
});

test('the changelog is put beside the reports', () => {
  expect(ran.report('changelog.md')).toBe('# Changes of the contract: 1.0.0 → 1.0.0\n');
});

test('files of an earlier run are not left beside those of this one', async () => {
  const lint = [fakeStage('lint', ({ recorder }) => recorder.passed({ name: 'fine' }))];
  const own = await makeFolder();
  await runAll(own);
  const again = await runProgramWith(own.path, lint, ['lint']);
  expect([again.has('changelog.md'), again.has('index.html')]).toEqual([false, true]);
  await own.remove();
});

describe('the progress bar', () => {
  const record = (isTerminal: boolean) => {
    const written: string[] = [];
    let time = 0;
    const screen = { isTerminal, columns: 50, write: (text: string) => void written.push(text) };
    return { bar: makeProgressBar(screen, () => (time += 100)), written };
  };

  test('is drawn on a terminal, in one line, and goes away', () => {
    const { bar, written } = record(true);
    bar.show('generated', 50, 100);
    bar.clear();
    expect(written).toEqual([
      `\r\u001b[K     generated   ${'█'.repeat(12)}${'░'.repeat(12)} 50/100`.slice(0, 53),
      '\r\u001b[K',
    ]);
  });

  test('is not drawn in a log', () => {
    const { bar, written } = record(false);
    bar.show('generated', 50, 100);
    bar.clear();
    expect(written).toEqual([]);
  });
});
