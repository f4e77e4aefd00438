import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { scopeTexts } from '../../src/metrics/instruments.js';
import { makeMetrics } from '../../src/metrics/metrics.js';

interface Described {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly scope: string;
}

/** What prom-client counts of the process itself is documented as such. */
const isOurs = (name: string): boolean => !/^voucherd_(nodejs|process)_/.test(name);

test('every metric is documented with its type, its labels and its scope, and no other one', async () => {
  const metrics = makeMetrics();
  const text = await metrics.text();
  const described = metrics
    .describe()
    .filter(({ name }) => isOurs(name))
    .map(({ name, labels, help }): Described => ({
      name,
      type: new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1] ?? '',
      labels,
      scope: (Object.entries(scopeTexts).find(([, words]) => help.endsWith(` (${words})`)) ?? [''])[0],
    }));
  metrics.stop();
  expect(described.filter(({ scope }) => scope === '')).toEqual([]);
  const rows = (await readFile('docs/monitoring.md', 'utf8')).match(/^\| `voucherd_.*$/gm) ?? [];
  const documented = rows.map((row): Described => {
    const [, name = '', type = '', labels = '', scope = ''] = row.split('|').map((cell) => cell.trim());
    return {
      name: name.slice(1, -1),
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
      scope,
    };
  });
  const byName = (a: Described, b: Described): number => a.name.localeCompare(b.name);
  expect(documented.sort(byName)).toEqual(described.sort(byName));
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
