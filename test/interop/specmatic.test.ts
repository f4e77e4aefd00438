import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseContract, type Operation } from '../../src/contract/contract.js';
import { jsonMedia } from '../../src/contract/document.js';
import { answeredComplaints, expectAnswered } from '../support/answeredComplaints.js';
import { withApi } from '../support/api.js';
import { root } from '../support/built.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { runTool } from '../tools/tool.js';
import { toolFile } from './tool.js';

const hasJava = spawnSync('java', ['-version']).status === 0;
const jar = toolFile('specmatic/specmatic.jar');

/** For a program that soon ends, compiling it well costs more than it gains. */
const briefRun = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];

const api = withApi();
const folder = forAllTests(makeFolder, 'remove');

/** Needs Java. Elsewhere it is reported as skipped. */
const testWithJava = hasJava ? test : test.skip;

testWithJava(
  'Specmatic finds each operation as the contract documents it, with the contract’s own examples',
  async () => {
    const { key, siteId } = api;
    const contract = join(folder.path, 'openapi.yaml');
    const text = (await api.get('/openapi.yaml')).text;
    await writeFile(contract, text);
    const examples = join(folder.path, 'examples');
    await mkdir(examples);
    const { operations } = parseContract(text);
    const write = async (operation: Operation, status: number, change: object): Promise<void> => {
      const { parameters = [], requestBody, responses } = operation.definition;
      const path = String(operation.location[1]);
      const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => [name, siteId]);
      const sent = requestBody && { ...(requestBody.content[jsonMedia]?.example as object), ...change };
      const request = {
        method: operation.method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, String(siteId)),
        query: Object.fromEntries(query) as object,
        headers: sent ? { 'Content-Type': 'application/json' } : {},
        ...(sent && { body: sent }),
      };
      const body = responses[String(status)]?.content?.[jsonMedia]?.example;
      const name = `${operation.id}-${status}`;
      const example = { name, 'http-request': request, 'http-response': { status, body } };
      await writeFile(join(examples, `${name}.json`), JSON.stringify(example));
    };
    let written = 0;
    for (const operation of operations.values()) {
      const creates = operation.method === 'post';
      await write(operation, creates ? 201 : 200, { site_id: siteId });
      written++;
      if (!creates) continue;
      await write(operation, 404, { site_id: 4711 });
      written++;
    }
    const { out } = await runTool(
      'java',
      [
        ...briefRun,
        '-jar',
        jar,
        'test',
        contract,
        '--strict',
        `--examples=${examples}`,
        `--testBaseURL=${api.url}`,
      ],
      { cwd: folder.path, env: { bearerAuth: key, apiKeyAuth: key } },
    );
    const [, run, failed] = /Tests run: (\d+),.*Failures: (\d+)/.exec(out) ?? [];
    expect({ out: failed === '0' ? '' : out, failed }).toEqual({ out: '', failed: '0' });
    expect(Number(run)).toBeGreaterThanOrEqual(written);
    expect(out).not.toContain('WARNING');
  },
);

/** What Specmatic is told of the service, as docs/other-tools.md shows it, with its sites. */
const overlay = (first: number, last: number): string => {
  const page = readFileSync(join(root, 'docs/other-tools.md'), 'utf8');
  const [, text = ''] = /^```yaml\n(overlay: [^]*?)^```/m.exec(page) ?? [];
  expect(text).toContain('maximum: 2');
  return text.replace('maximum: 2', `minimum: ${first}, maximum: ${last}`);
};

/** The failed tests of Specmatic's output, each with what it says about it. */
const failuresIn = (out: string): string[] =>
  out
    .split(/^(?=[+-]ve {2}Scenario: )/m)
    .filter((text) => /^[+-]ve .* has FAILED$/m.test(text))
    // The last one is followed by a summary.
    .map((text) => text.split('\n\n\n')[0] ?? '');

testWithJava.each([
  ['/openapi.yaml', 'contract.yaml'],
  ['/openapi.php', 'description.json'],
])(
  'Specmatic’s generated tests find nothing in %s that docs/other-tools.md does not answer',
  async (description, name) => {
    const { key, siteId } = api;
    const [contract, changes] = [join(folder.path, name), join(folder.path, `overlay.${name}.yaml`)];
    await writeFile(contract, (await api.get(description)).text);
    await writeFile(changes, overlay(siteId, await api.addSite()));
    const { out } = await runTool(
      'java',
      [
        ...briefRun,
        ...['-jar', jar, 'test', contract, `--testBaseURL=${api.url}`, `--overlay-file=${changes}`],
        // A busy machine is no service that does not answer.
        '--timeout=60',
      ],
      {
        cwd: folder.path,
        env: {
          ...{ bearerAuth: key, apiKeyAuth: key },
          ...{ SPECMATIC_GENERATIVE_TESTS: 'true', MAX_TEST_REQUEST_COMBINATIONS: '5' },
        },
      },
    );
    const failures = failuresIn(out);
    expect(Number(/Tests run: \d+,.*Failures: (\d+)/.exec(out)?.[1])).toBe(failures.length);
    expect(out).toMatch(/^\+ve .*POST \/vouchers.php -> 201.* has SUCCEEDED$/m);
    // Whatever it takes to be valid is answered as documented.
    expect(failures.filter((text) => text.startsWith('+'))).toEqual([]);
    const answered = answeredComplaints('Specmatic', description);
    const complaints = failures.map((text) => {
      const [title = ''] = text.split('\n');
      // What is accepted where it expected a 4xx is answered by what was wrong with it.
      const said = text.includes('Expected 4xx status, but received 201') ? title : text;
      return answered.find((complaint) => said.includes(complaint)) ?? text;
    });
    expectAnswered([...new Set(complaints)], answered);
  },
);
