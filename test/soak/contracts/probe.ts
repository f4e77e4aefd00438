import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from 'redocly-core';
import { loadGivenContract } from '../../../src/cli/givenContract.js';
import { serverPathOf } from '../../../src/contract/serverPath.js';
import { startMock } from './startMock.js';

/** What became of one contract. */
export interface ContractProbe {
  readonly served: number;
  /** Why operations were left out, each with how many. */
  readonly leftOut: readonly (readonly [reason: string, count: number])[];
  /** Statuses of the mock's answers, each with how many. */
  readonly answers: Readonly<Record<string, number>>;
  /** Errors that Redocly's minimal rules find. */
  readonly lintErrors: number;
  readonly megabytes: number;
}

/** A reason without what belongs to one place only. */
const generalise = (reason: string): string =>
  reason
    .replace(/^.*?:\d+:\d+: /, '')
    .replace(/^(?:[A-Z]+ )?\/\S*: /, '')
    .replace(/"[^"]*"/g, '"…"')
    .slice(0, 80);

const increment = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Loads a contract, asks the mock for each of its operations, and lints it. */
const probe = async (file: string): Promise<ContractProbe> => {
  const reasons = new Map<string, number>();
  const contract = loadGivenContract(file, serverPathOf, (reason) => increment(reasons, generalise(reason)));
  const answers = new Map<string, number>();
  const { url, end } = await startMock(file, ['--dynamic']);
  for (const { method, location } of contract.operations.values()) {
    const path = String(location[1]).replace(/\{[^{}]*\}/g, '1');
    const options = ['get', 'head'].includes(method)
      ? { method: method.toUpperCase() }
      : { method: method.toUpperCase(), body: '{}', headers: { 'Content-Type': 'application/json' } };
    const { status } = await fetch(url + path, { ...options, redirect: 'manual' });
    increment(answers, `${String(Math.floor(status / 100))}xx`);
  }
  await end();
  const config = await createConfig({ extends: ['minimal'] });
  const findings = await lintFromString({ source: readFileSync(file, 'utf8'), absoluteRef: file, config });
  return {
    served: contract.operations.size,
    leftOut: [...reasons].sort(([, one], [, other]) => other - one),
    answers: Object.fromEntries([...answers].sort()),
    lintErrors: findings.filter(({ severity }) => severity === 'error').length,
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
};

const [file = ''] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await probe(file))}\n`);
