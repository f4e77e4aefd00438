import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { breaking } from '../../tools/contract/src/breaking/breaking.js';
import { examples } from '../../tools/contract/src/examples/examples.js';
import { lint } from '../../tools/contract/src/lint/lint.js';
import { runProgramWith } from '../contractRun/programRun.js';
import { startDevCommand, type DevCommand } from './devCommand.js';
import { makeProject, type Project } from './project.js';

interface Mistake {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** What names the cause. */
  readonly dev: RegExp;
  readonly contract: RegExp;
  /** A text of the line that is shown. */
  readonly line: string;
}

const mistakes: Mistake[] = [
  {
    name: 'indentation',
    from: '      operationId: listSites\n',
    to: '       operationId: listSites\n',
    dev: /All mapping items must start at the same column/,
    contract: /bad indentation of a mapping entry/,
    line: 'tags: [sites]',
  },
  {
    name: 'unknown $ref',
    from: "schema: { $ref: '#/components/schemas/SiteList' }",
    to: "schema: { $ref: '#/components/schemas/SitesList' }",
    dev: /\$ref "#\/components\/schemas\/SitesList" leads to nothing/,
    contract: /Can't resolve \$ref/,
    line: 'SitesList',
  },
  {
    name: 'no operationId',
    from: '      operationId: listVouchers\n',
    to: '',
    dev: /operationId is missing/,
    contract: /should contain `operationId`/,
    line: 'get:',
  },
  {
    name: 'wrong example',
    from: '- { id: 1, name: Hauptgebäude }',
    to: '- { id: eins, name: Hauptgebäude }',
    dev: /the example does not fit its schema: \/sites\/0\/id must be integer/,
    contract: /`id` property type must be integer/,
    line: 'id: eins',
  },
  {
    name: 'misspelt x- key',
    from: '            x-lenient: true\n            x-message: site_id erforderlich',
    to: '            x-lenien: true\n            x-message: site_id erforderlich',
    dev: /x-lenien: did you mean x-lenient\?/,
    contract: /x-lenien: did you mean x-lenient\?/,
    line: 'x-lenien: true',
  },
  {
    name: 'no description',
    from: '          description: List of vouchers\n',
    to: '',
    dev: /The field `description` must be present/,
    contract: /The field `description` must be present/,
    line: "'200':",
  },
  {
    name: 'duplicate operationId',
    from: 'operationId: listVouchers',
    to: 'operationId: listSites',
    dev: /the operationId listSites belongs to GET \/sites\.php already/,
    contract: /must have a unique `operationId`/,
    line: 'operationId: listSites',
  },
  {
    name: 'invalid pattern',
    from: String.raw`pattern: '^[\x21-\x7e]{1,255}$'`,
    to: String.raw`pattern: '^[\x21-\x7e{1,255}$'`,
    dev: /invalid pattern: .*Unterminated character class/,
    contract: /Invalid pattern: .*Unterminated character class/,
    line: 'pattern:',
  },
  {
    name: 'removed field',
    from: '        used_count: { type: integer, minimum: 0, description: Count of uses }\n',
    to: '',
    dev: /property 'used_count' .* was removed\. This breaks clients/,
    contract: /`used_count`/,
    line: '',
  },
  {
    name: 'changed default',
    from: '          default: 480',
    to: '          default: 60',
    dev: /default changed from 480 to 60\. This breaks clients/,
    contract: /default changed from 480 to 60\. This breaks clients/,
    line: 'expire_minutes:',
  },
];

let project: Project;
let loop: DevCommand;
let written: string;
const table: string[] = [];

beforeAll(async () => {
  project = await makeProject(['scripts', 'tools', 'test/scenarios', 'simulators']);
  written = await project.read('openapi.yaml');
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: project.path });
  await git('init', '--quiet');
  await git('add', 'openapi.yaml');
  const author = ['-c', 'user.name=Designer', '-c', 'user.email=designer@example.org'];
  await git(...author, 'commit', '--quiet', '--message', 'The contract');
  loop = await startDevCommand(project);
  await loop.shows('dev: openapi.yaml, the sources and the pages are followed.');
});
afterAll(async () => {
  console.log(['| mistake | npm run dev | npm run contract |', '|---|---|---|', ...table].join('\n'));
  expect(await loop.stop()).toBe(0);
  await project.remove();
});

const save = async (text: string, shown: RegExp): Promise<number> => {
  const from = loop.output().length;
  await project.write('openapi.yaml', text);
  await loop.shows(shown, from);
  return from;
};

const finding = /^dev: openapi\.yaml:\d+:\d+: /;

/** Everything that is said of a mistake until it is undone: the finding, and the line that it shows. */
const tellDev = async (text: string): Promise<string[]> => {
  const from = await save(text, new RegExp(finding, 'm'));
  const isRefused = !/ loaded in /.test(loop.output().slice(from));
  const end = await save(written, isRefused ? / loaded in \d+ ms: / : /^dev: lint finds nothing more\.$/m);
  const said = loop.output().slice(from, end).split('\n');
  return said.flatMap((line, index) => (finding.test(line) ? [line, said[index + 1] ?? ''] : []));
};

test.each(mistakes)(
  '$name: npm run dev and npm run contract name the line and the cause, once',
  async ({ name, from, to, dev, contract, line }) => {
    expect(written).toContain(from);
    const text = written.replace(from, () => to);
    const [told = '', shown = '', ...more] = await tellDev(text);
    expect(more).toEqual([]);
    expect(told).toMatch(dev);
    expect(shown).toContain(line);

    const file = join(project.path, 'openapi.yaml');
    await project.write('contract/openapi.yaml', text);
    const { status, printed } = await runProgramWith(
      project.path,
      [lint, breaking, examples],
      [
        'lint',
        'breaking',
        'examples',
        '--contract',
        join(project.path, 'contract/openapi.yaml'),
        '--against',
        file,
      ],
    );
    expect(status).toBe(1);
    expect(printed).toMatch(/^FAIL 1 failure in /m);
    const problems = [...printed.matchAll(/^ {5}✗ (.*)\n {7}(.*)\n {7}\S+?(:\d+:\d+)\n {9}(.*)$/gm)];
    expect(problems).toHaveLength(1);
    const [, , what = '', place = '', excerpt = ''] = problems[0] ?? [];
    expect(what).toMatch(contract);
    expect(excerpt).toContain(line);

    const seen = told.replace(/^dev: openapi\.yaml/, '');
    table.push(`| ${name} | ${seen.replaceAll('|', '\\|')} | ${place}: ${what.replaceAll('|', '\\|')} |`);
  },
);
