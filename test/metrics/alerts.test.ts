import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeMetrics } from '../../src/metrics/metrics.js';
import { root } from '../support/built.js';
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
