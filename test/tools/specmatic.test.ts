import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startService, type TestService } from '../support/service.js';
import { runTool } from './tool.js';

const hasJava = spawnSync('java', ['-version']).status === 0;
const jar = join(root, 'node_modules/specmatic/specmatic.jar');

/** For a program that soon ends, compiling it well costs more than it gains. */
const briefRun = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];

let service: TestService;
let folder: TestFolder;
beforeAll(async () => {
  [service, folder] = [await startService(), await makeFolder()];
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } };
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { readonly example: unknown } } }>
  >;
}

/** Needs Java. Elsewhere it is reported as skipped. */
(hasJava ? test : test.skip)(
  'Specmatic finds each operation as the contract documents it, with the contract’s own examples',
  async () => {
    const key = await service.addKey();
    const siteId = await service.addSite();
    const contract = join(folder.path, 'openapi.yaml');
    const text = (await service.get('/openapi.yaml')).text;
    await writeFile(contract, text);
    const examples = join(folder.path, 'examples');
    await mkdir(examples);
    const { paths } = parse(text) as { paths: Record<string, Record<string, Operation>> };
    const write = async (
      path: string,
      method: string,
      status: number,
      { parameters = [], requestBody, responses }: Operation,
      change: object,
    ): Promise<void> => {
      const filled = path.replace(/\{\w+\}/g, String(siteId));
      const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => [name, siteId]);
      const sent = requestBody && { ...requestBody.content['application/json'].example, ...change };
      const request = {
        method: method.toUpperCase(),
        path: filled,
        query: Object.fromEntries(query) as object,
        headers: sent ? { 'Content-Type': 'application/json' } : {},
        ...(sent && { body: sent }),
      };
      const body = responses[String(status)]?.content?.['application/json'].example;
      const name = `${method}-${path.slice(1).replace(/\W/g, '-')}-${status}`;
      const example = { name, 'http-request': request, 'http-response': { status, body } };
      await writeFile(join(examples, `${name}.json`), JSON.stringify(example));
    };
    let written = 0;
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        await write(path, method, method === 'post' ? 201 : 200, operation, { site_id: siteId });
        written++;
        if (method !== 'post') continue;
        await write(path, method, 404, operation, { site_id: 4711 });
        written++;
      }
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
        `--testBaseURL=${service.url}`,
      ],
      { cwd: folder.path, env: { bearerAuth: key, apiKeyAuth: key } },
    );
    const [, run, failed] = /Tests run: (\d+),.*Failures: (\d+)/.exec(out) ?? [];
    expect({ out: failed === '0' ? '' : out, failed }).toEqual({ out: '', failed: '0' });
    expect(Number(run)).toBeGreaterThanOrEqual(written);
    expect(out).not.toContain('WARNING');
  },
);
