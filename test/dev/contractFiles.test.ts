import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { childEnv } from '../support/built.js';
import { makeProject, type Project } from './project.js';

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project.remove());

/** What `npm run dev` does with the files of a contract: it makes types of them, and waits for their changes. */
const script = `
import { readFileSync, writeFileSync } from 'node:fs';
import { writeTypes } from './scripts/tasks/contract.mjs';
import { lintContract } from './scripts/lint/lintContract.mjs';
import { watchContract } from './scripts/dev/watch.mjs';

const typesOf = async () => {
  await writeTypes();
  return readFileSync('generated/openapi.ts', 'utf8').match(/(?:planted|changed)\\?: \\w+/g);
};
const save = (text) => writeFileSync('schemas/site.yaml', text);
const first = readFileSync('schemas/site.yaml', 'utf8');
console.log(JSON.stringify(await typesOf()));
const unwatch = watchContract('openapi.yaml', async () => {
  unwatch();
  console.log(JSON.stringify(await typesOf()));
  const findings = await lintContract(readFileSync('openapi.yaml', 'utf8'), process.cwd());
  console.log(JSON.stringify(findings.map(({ file, line, rule }) => [file, line, rule])));
  writeFileSync('schemas/site.yaml', first + '\\nx: { $ref: "http://127.0.0.1:9/a.yaml" }\\n');
  await writeTypes().catch(({ message }) => console.log(JSON.stringify(message)));
});
save(first.replace('planted: { type: string }', 'changed: { type: integer, x-lenien: true }'));
`;

test('types, lint and the watch for changes follow the other files of a contract, and load no address', async () => {
  const written = await project.read('openapi.yaml');
  const use = "$ref: '#/components/schemas/SiteList'";
  expect(written).toContain(use);
  await mkdir(join(project.path, 'schemas'));
  await project.write('schemas/site.yaml', 'type: object\nproperties:\n  planted: { type: string }\n');
  await project.write('openapi.yaml', written.replace(use, '$ref: schemas/site.yaml'));
  await project.write('files.mjs', script);
  const child = spawn(process.execPath, ['files.mjs'], { cwd: project.path, env: childEnv({}) });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
  await once(child, 'close');
  expect(err).toBe('');
  const [before, after, findings, refused] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(before).toEqual(['planted?: string']);
  expect(after).toEqual(['changed?: number']);
  expect(findings).toContainEqual(['schemas/site.yaml', 3, 'contract/known-extensions']);
  expect(refused).toMatch(/^schemas\/site\.yaml:5:6: the \$ref is an address/);
});
