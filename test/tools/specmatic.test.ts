import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseContract, type Operation } from '../../src/contract/contract.js';
import { jsonMedia } from '../../src/contract/document.js';
import { withApi } from '../support/api.js';
import { root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { runTool } from './tool.js';

const hasJava = spawnSync('java', ['-version']).status === 0;
const jar = join(root, 'node_modules/specmatic/specmatic.jar');

/** For a program that soon ends, compiling it well costs more than it gains. */
const briefRun = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];

const api = withApi();
let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

/** Needs Java. Elsewhere it is reported as skipped. */
(hasJava ? test : test.skip)(
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
