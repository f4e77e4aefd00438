import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeMetrics } from '../../src/metrics/metrics.js';
import { root } from '../support/built.js';
import { makeFolder } from '../support/folder.js';
import { hasPromtool, promtool, readRules, rulesFile, withoutPromtool } from '../support/prometheus.js';

const rules = readRules();
const document = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');

/** What follows a name in a metric of several series. */
const withoutSuffix = (name: string): string => name.replace(/_(bucket|count|sum)$/, '');

const metricNames = async (): Promise<string[]> => {
  const metrics = makeMetrics();
  const text = await metrics.text();
  metrics.stop();
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
};

const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\bvoucherd_\w+/g)].map(([name]) => withoutSuffix(name))),
];

test('the rules use only metrics that exist', async () => {
  const known = await metricNames();
  const used = rules.flatMap(({ expr }) => namesIn(expr));
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !known.includes(name))).toEqual([]);
});

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[];
}

const dashboard = JSON.parse(readFileSync(join(root, 'deploy/grafana/voucherd.json'), 'utf8')) as {
  panels: Panel[];
};
const targets = dashboard.panels.flatMap(({ targets: list = [] }) => list);

test('the dashboard uses only metrics that exist, and names no data source of its own', async () => {
  const known = await metricNames();
  const used = targets.flatMap(({ expr }) => namesIn(expr));
  expect(used.length).toBeGreaterThan(30);
  expect(used.filter((name) => !known.includes(name))).toEqual([]);
  const uids = JSON.stringify(dashboard).match(/"type":"prometheus","uid":"[^"]*"/g) ?? [];
  expect(new Set(uids)).toEqual(new Set(['"type":"prometheus","uid":"${datasource}"']));
});

test('each panel of the dashboard has a number of its own, a title and an explanation', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { type, title, description } of panels) {
    expect(title).not.toBe('');
    if (type !== 'row') expect(description).toMatch(/\w/);
  }
});

test('each alert has a summary, a description, a severity, and a runbook that exists', () => {
  for (const { alert, annotations, labels } of rules) {
    expect(Object.keys(annotations).sort()).toEqual(['description', 'runbook', 'summary']);
    expect(['critical', 'warning', 'info']).toContain(labels['severity']);
    expect(annotations['runbook']).toBe(`docs/monitoring.md#${alert.toLowerCase()}`);
    expect(document).toContain(`\n### ${alert}\n\n`);
  }
});

test('no alert is documented that does not exist', () => {
  const documented = [...document.matchAll(/^### (Voucherd\w+)$/gm)].map(([, name]) => name);
  expect(documented).toEqual(rules.map(({ alert }) => alert));
});

test('the files that the document names exist', () => {
  const named = [...document.matchAll(/\]\(\.\.\/(deploy\/[^)]+)\)/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

(hasPromtool ? describe : describe.skip)(hasPromtool ? 'promtool' : withoutPromtool, () => {
  test('finds no fault in the rules', () => {
    expect(promtool(['check', 'rules', rulesFile])).toMatchObject({ status: 0 });
  });

  test('understands the expressions of the dashboard', async () => {
    const rules = targets.map(({ expr }, index) => ({
      record: `panel:${String(index)}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? ''),
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'voucherd'),
    }));
    const folder = await makeFolder();
    const file = join(folder.path, 'rules.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const checked = promtool(['check', 'rules', file]);
    await folder.remove();
    expect(checked).toMatchObject({ status: 0 });
  });

  test('finds no fault in the example of a configuration', () => {
    const file = join(root, 'deploy/prometheus/scrape.yaml');
    expect(promtool(['check', 'config', '--syntax-only', file])).toMatchObject({ status: 0 });
  });

  test('runs the tests of the rules: each alert fires, and none when all is well', () => {
    const file = join(root, 'deploy/prometheus/alerts.test.yaml');
    expect(promtool(['test', 'rules', file])).toMatchObject({ status: 0 });
    const tests = readFileSync(file, 'utf8');
    for (const { alert } of rules) {
      expect(tests).toContain(`- { alertname: ${alert}, eval_time: 65m }`);
      expect(tests).toContain(`- alertname: ${alert}\n`);
    }
  });
});
