import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeProject, type Project } from '../dev/project.js';
import { runTool } from './tool.js';

let project: Project;
beforeAll(async () => {
  project = await makeProject([
    'simulators',
    'scripts',
    'tools',
    'test/scenarios',
    'test/soak',
    'dist/.built.json',
  ]);
});
afterAll(() => project.remove());

const isBuildCurrent = async (): Promise<boolean> => {
  const script = `import { isBuildCurrent } from './scripts/tasks/build.mjs'; console.log(isBuildCurrent());`;
  const { out } = await runTool(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project.path,
  });
  return JSON.parse(out) as boolean;
};

test.each([
  ['a source', 'src/main.ts'],
  ['the script that bundles', 'scripts/tasks/bundle.mjs'],
  ['the script that caches code', 'scripts/tasks/codeCache.mjs'],
  ['the script that builds', 'scripts/tasks/build.mjs'],
])('a build is current until %s changes', async (_, file) => {
  const text = await project.read(file);
  expect(await isBuildCurrent()).toBe(true);
  await project.write(file, `${text}\n// Changed.\n`);
  expect(await isBuildCurrent()).toBe(false);
  await project.write(file, text);
});
