import { expect, test } from '@jest/globals';
import { makeProject } from '../dev/project.js';
import { runTool } from './tool.js';
import { forAllTests } from '../support/fixture.js';

const project = forAllTests(
  () => makeProject(['simulators', 'scripts', 'tools', 'test', 'dist/.built.json']),
  'remove',
);

const changes = {
  'src/main.ts': 'a source',
  'scripts/tasks/bundle.mjs': 'the script that bundles',
  'scripts/tasks/build.mjs': 'the script that builds',
};

test('a build is current until one of its files changes', async () => {
  const script = `
    import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
    import { isBuildCurrent } from './scripts/tasks/build.mjs';
    const found = { unchanged: isBuildCurrent() };
    for (const [file, what] of Object.entries(${JSON.stringify(changes)})) {
      const text = readFileSync(file, 'utf8');
      appendFileSync(file, '// Changed.');
      found[what] = isBuildCurrent();
      writeFileSync(file, text);
    }
    found['changed back'] = isBuildCurrent();
    console.log(JSON.stringify(found));`;
  const { out } = await runTool(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project.path,
  });
  const outdated = Object.fromEntries(Object.values(changes).map((what) => [what, false]));
  expect(JSON.parse(out)).toEqual({ unchanged: true, ...outdated, 'changed back': true });
});
