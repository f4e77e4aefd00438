import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { readClientContract } from '../../scripts/sdk/clientContract.js';
import { writeClientPackage } from '../../scripts/sdk/clientPackage.js';
import { compilerOptions } from '../../scripts/sdk/packageFiles.js';
import { contractOf, type Feature } from '../contract/feature.js';
import { features } from '../contract/features.js';
import { serveFeature } from '../contract/servedFeature.js';
import { writeContract } from '../contract/writtenContract.js';
import { root } from '../support/built.js';
import { startContractServer } from '../support/contractServer.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import type { FeatureCalls } from './featureCall.js';
import { featureCalls } from './featureCalls.js';
import { strictOptions } from './strictOptions.js';

const run = promisify(execFile);
const compiler = join(root, 'node_modules/typescript-native/bin/tsc');

const rows = features.map((feature, index) => [feature.row, feature, `f${String(index)}`] as const);
const callsOf = (row: string): FeatureCalls => featureCalls[row] ?? { calls: [] };

/** A program that makes the calls of a row, and holds that others do not compile. */
const programOf = (name: string, { calls, wrong = [], auth = `'a-token'` }: FeatureCalls): string => `
import { create${name.toUpperCase()}Client, isApiError, type types } from '../dist/${name}/src/index.js';

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => 'no error', (error: unknown) => (isApiError(error) ? [error.status, error.code, error.message] : error));
const bodyOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => 'no error', (error: unknown) => (isApiError(error) ? [error.status, error.body] : error));
type Client = ReturnType<typeof create${name.toUpperCase()}Client>;
export const calls: ((client: Client) => unknown)[] = [
${calls.map(([expression]) => `  (client) => ${expression},`).join('\n')}
];
export const wrong: ((client: Client) => unknown)[] = [
${wrong.map((expression) => `  // @ts-expect-error it must not compile\n  (client) => ${expression},`).join('\n')}
];
export const connect = (baseUrl: string): Client =>
  create${name.toUpperCase()}Client({ baseUrl, auth: ${auth}, retry: { limit: 0 } });
export type Unused = [typeof errorOf, typeof bodyOf, types.ClientOptions];
`;

interface Program {
  readonly calls: readonly ((client: unknown) => unknown)[];
  connect(baseUrl: string): unknown;
}
const methodsOf = new Map<string, readonly string[]>();

const writeClient = async (feature: Feature, name: string) => {
  const written = await writeContract(contractOf(feature), feature.files ?? {});
  const client = readClientContract(join(written.path, 'openapi.yaml'));
  await written.remove();
  const out = join(folder.path, name);
  await mkdir(out);
  const operations = await writeClientPackage(client, out, {
    name,
    className: `${name.toUpperCase()}Client`,
  });
  return operations.map((operation) => operation.name);
};

/** Compiles one folder; what the compiler says is the failure. */
const compile = (project: string): Promise<unknown> =>
  run(process.execPath, [compiler, '-p', project]).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout);
  });

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  const program = join(folder.path, 'program');
  await mkdir(program);
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
  for (const [row, feature, name] of rows) {
    methodsOf.set(row, await writeClient(feature, name));
    await writeFile(join(program, `${name}.ts`), programOf(name, callsOf(row)));
  }
  // All clients at once, then all programs: a compiler per client would take minutes.
  const options = { ...compilerOptions, rootDir: '.', sourceMap: false };
  const project = { compilerOptions: options, include: ['f*/src'] };
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(project));
  await writeFile(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions: strictOptions }));
  await compile(folder.path);
  await compile(program);
});

test('every feature has calls', () => {
  expect(Object.keys(featureCalls)).toEqual(features.map(({ row }) => row));
});

test.each(rows)('%s', async (row, feature, name) => {
  const expected = callsOf(row).calls;
  const called = expected.map(([expression]) => expression).join('\n');
  expect(methodsOf.get(row)?.filter((method) => !called.includes(`.${method}(`))).toEqual([]);
  const { files, basePath = '' } = feature;
  const written = files && (await writeContract(contractOf(feature), files));
  const server = await startContractServer(
    serveFeature(feature, written && join(written.path, 'openapi.yaml')),
  );
  const address = pathToFileURL(join(folder.path, 'program', `${name}.js`)).href;
  const { calls, connect } = (await import(address)) as Program;
  const client = connect(server.url + basePath);
  const answers: unknown[] = [];
  for (const [index, call] of calls.entries()) {
    const [expression] = expected[index] ?? [];
    try {
      answers.push([expression, await call(client)]);
    } catch (error) {
      answers.push([expression, error]);
    }
  }
  await server.stop();
  await written?.remove();
  expect(answers).toEqual(expected);
  expect(server.violations).toEqual([]);
});
