import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { childEnv } from '../support/built.js';
import { until } from '../support/until.js';
import { makeProject, type Project } from './project.js';

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project.remove());

const first = 'title: Voucher API\n  titel: Gutscheine';
const second = 'title: Voucher API\n  x-scopes: none\n  titel: Gutscheine';

/** What `npm run dev` does with lint, but with a save at the worst time: while the text before it is linted. */
const script = (first: string, second: string): string => `
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { makeLint, makeLintThread } from './scripts/dev/lint.mjs';

const save = (text) => writeFileSync('openapi.yaml', text);
const thread = makeLintThread();
const lint = makeLint(thread);
save(${JSON.stringify(first)});
lint.start();
save(${JSON.stringify(second)});
await once(thread, 'message');
console.error('the first text is linted');
save(${JSON.stringify(first)});
process.stdin.once('data', async () => {
  save(${JSON.stringify(second)});
  lint.start();
  await once(thread, 'message');
  await lint.stop();
  process.exit();
});
`;

test('what lint finds is shown with its own line, and only while the file is what was linted', async () => {
  const written = await project.read('openapi.yaml');
  const textWith = (head: string): string => written.replace('title: Voucher API', head);
  await project.write('saves.mjs', script(textWith(first), textWith(second)));
  const child = spawn(process.execPath, ['saves.mjs'], { cwd: project.path, env: childEnv({}) });
  const closed = once(child, 'close');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  const findings = (): RegExpMatchArray[] => [
    ...output.matchAll(/^dev: openapi\.yaml:(\d+):\d+: error: Property `titel`.*\n +\1 \| +(.*)$/gm),
  ];
  try {
    await until('the finding of the first text', () => {
      if (child.exitCode !== null) throw new Error(output);
      return findings().length > 0;
    });
    child.stdin.write('\n');
    await closed;
  } finally {
    child.kill();
  }
  const line = written.split('\n').findIndex((text) => text.includes('title: Voucher API')) + 2;
  expect(findings().map(([, place, text]) => [Number(place), text])).toEqual([
    [line, 'titel: Gutscheine'],
    [line + 1, 'titel: Gutscheine'],
  ]);
  expect(output.indexOf('the first text is linted')).toBeLessThan(output.indexOf('Property `titel`'));
});
