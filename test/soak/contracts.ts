// FILE…: loads, mocks and lints the contracts of other projects.
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { formatNumericTable } from '../../scripts/lib/textTable.js';
import type { ContractProbe } from './contracts/probe.js';

const run = promisify(execFile);
const program = fileURLToPath(new URL('contracts/probe.js', import.meta.url));

/** A process each, so that one that takes too much ends alone. */
const limits = { timeoutMs: 300_000, heapMegabytes: 1_500 };

interface Outcome {
  readonly file: string;
  readonly seconds: number;
  readonly probe?: ContractProbe;
  readonly refusal?: string;
}

const probeFile = async (file: string): Promise<Outcome> => {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const heap = `--max-old-space-size=${String(limits.heapMegabytes)}`;
  try {
    const { stdout } = await run(process.execPath, [heap, program, file], {
      timeout: limits.timeoutMs,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { file, seconds: seconds(), probe: JSON.parse(stdout) as ContractProbe };
  } catch (error) {
    const { stderr = '', killed } = error as { stderr?: string; killed?: boolean };
    const line = stderr.split('\n').find((text) => /Error: /.test(text)) ?? stderr.slice(0, 200);
    return { file, seconds: seconds(), refusal: killed ? 'took too long' : line };
  }
};

const rowOf = ({ file, seconds, probe, refusal }: Outcome): string[] => {
  const name = basename(file);
  if (!probe) return [name, '-', '-', refusal ?? '', '-', seconds.toFixed(1), '-'];
  const leftOut = probe.leftOut.reduce((sum, [, count]) => sum + count, 0);
  const answers = Object.entries(probe.answers).map(([kind, count]) => `${String(count)} ${kind}`);
  return [
    name,
    String(probe.served),
    String(leftOut),
    answers.join(', '),
    String(probe.lintErrors),
    seconds.toFixed(1),
    String(probe.megabytes),
  ];
};

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: npm run soak -- contracts FILE… (docs/contract.md names packages that contain some)');
  process.exitCode = 2;
}
const outcomes: Outcome[] = [];
for (const file of files) {
  const outcome = await probeFile(file);
  outcomes.push(outcome);
  console.error(`${basename(file)}: ${outcome.refusal ?? `${outcome.seconds.toFixed(1)} s`}`);
}
if (outcomes.length > 0) {
  const heading = ['contract', 'served', 'left out', 'answers of the mock', 'lint errors', 's', 'MiB'];
  console.log(formatNumericTable([heading, ...outcomes.map(rowOf)]));
  const reasons = new Map<string, number>();
  for (const { probe } of outcomes)
    for (const [reason, count] of probe?.leftOut ?? [])
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  for (const [reason, count] of [...reasons].sort(([, one], [, other]) => other - one))
    console.log(`${String(count)} left out: ${reason}`);
}
