import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { root } from './built.js';
import { makeFolder } from './folder.js';

/** Debian's package prometheus has it. Without it, what needs it is skipped with this line. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
export const withoutPromtool = 'promtool is not installed (Debian: prometheus)';

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** Runs promtool, with a text on its standard input if one is given. */
export const promtool = (args: readonly string[], input = ''): Ended => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

/** One line of the metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export const parseMetrics = (text: string): Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = '', given = '']) => [key, given] as const,
    );
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });

/** The value of one series; undefined when there is none. */
export const findValue = (
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined =>
  parseMetrics(text).find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value;

export const rulesFile = join(root, 'deploy/prometheus/alerts.yaml');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export const readRules = (): Rule[] => {
  const { groups } = parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
};

/** Longer than any rule waits before it fires. */
const evaluatedAtS = 65 * 60;

/** Two scrapes of a service, and when the second was. Counters grow each minute by what they grew between them. */
export interface Scrapes {
  readonly before: string;
  readonly after: string;
}

const target = { job: 'voucherd', instance: 'a' };

/** The service stays as it was at the second scrape. Promtool's time begins in 1970, so times are moved there. */
const toInputSeries = ({ before, after }: Scrapes, now: number): { series: string; values: string }[] => {
  const used = readRules().flatMap(({ expr }) => expr.match(/\bvoucherd_\w+/g) ?? []);
  const earlier = new Map(parseMetrics(before).map((sample) => [seriesOf(sample), sample.value]));
  const series = parseMetrics(after)
    .filter(({ name, value }) => Number.isFinite(value) && used.includes(name))
    .map((sample) => {
      const { name, value } = sample;
      const isCounter = /_(total|bucket|count|sum)$/.test(name);
      const start = name.endsWith('_timestamp_seconds') ? value - now / 1000 + evaluatedAtS : value;
      const step = isCounter ? Math.max(0, value - (earlier.get(seriesOf(sample)) ?? 0)) : 0;
      return { series: seriesOf(sample), values: `${toDecimal(start)}+${toDecimal(step)}x70` };
    });
  return [{ series: seriesOf({ name: 'up', labels: {} }), values: '1x70' }, ...series];
};

/** The alerts that our rules fire for each of these services. */
export const firingAlerts = async (services: readonly Scrapes[], now = Date.now()): Promise<string[][]> => {
  const folder = await makeFolder();
  try {
    const file = join(folder.path, 'test.yaml');
    // None is expected, so promtool complains of each that fires.
    const alert_rule_test = readRules().map(({ alert: alertname }) => ({
      ...{ eval_time: `${evaluatedAtS}s`, alertname },
    }));
    const tests = services.map((scrapes, index) => ({
      ...{ name: `service-${String(index)}`, interval: '1m', input_series: toInputSeries(scrapes, now) },
      alert_rule_test,
    }));
    await writeFile(file, stringify({ rule_files: [rulesFile], evaluation_interval: '5m', tests }));
    const { status, output } = promtool(['test', 'rules', file]);
    const complaints = [...output.matchAll(/name: service-(\d+),\s+alertname: (\w+), time/g)];
    if ((status === 0) !== (complaints.length === 0)) throw new Error(output);
    return services.map((_, index) =>
      complaints.filter(([, service]) => Number(service) === index).map(([, , alert = '']) => alert),
    );
  } finally {
    await rm(folder.path, { recursive: true, force: true });
  }
};

/** Our rule fires for what is broken, and did not before. Without promtool that is not known. */
export const expectAlert = async (
  alert: string,
  well: string | Scrapes,
  broken: string | Scrapes,
  now = Date.now(),
): Promise<void> => {
  if (!hasPromtool) return;
  const toScrapes = (given: string | Scrapes): Scrapes =>
    typeof given === 'string' ? { before: given, after: given } : given;
  const [atFirst = [], then = []] = await firingAlerts([well, broken].map(toScrapes), now);
  expect(atFirst).not.toContain(alert);
  expect(then).toContain(alert);
};

/** Promtool does not read `1e-7`. */
const toDecimal = (value: number): string => value.toFixed(9).replace(/\.?0+$/, '');

const seriesOf = ({ name, labels }: Pick<Sample, 'name' | 'labels'>): string =>
  `${name}{${Object.entries({ ...target, ...labels })
    .map(([key, value]) => `${key}="${value}"`)
    .join(',')}}`;
