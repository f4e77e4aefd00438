import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { makeMetrics } from '../../src/metrics/metrics.js';

test('every metric is documented, and no other one', async () => {
  const metrics = makeMetrics();
  const named = [...(await metrics.text()).matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name ?? '');
  metrics.stop();
  const table = (await readFile('docs/operate.md', 'utf8')).match(/^\| `voucherd_\w+`/gm) ?? [];
  const documented = table.map((cell) => cell.slice('| `'.length, -1));
  // What prom-client counts of the process itself is documented as such.
  const ours = (name: string) => !/^voucherd_(nodejs|process)_/.test(name);
  expect(documented.filter(ours).sort()).toEqual(named.filter(ours).sort());
  for (const name of documented.filter((one) => !ours(one))) expect(named).toContain(name);
});

test('build information names version, commit and Node', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const metrics = makeMetrics();
  const [, found, commit, node] =
    /^voucherd_build_info\{version="([^"]*)",commit="([^"]*)",node="([^"]*)"\} 1$/m.exec(
      await metrics.text(),
    ) ?? [];
  metrics.stop();
  expect({ found, node }).toEqual({ found: version, node: process.versions.node });
  expect(commit).toMatch(/^([0-9a-f]{40}(-changed)?)?$/);
});
