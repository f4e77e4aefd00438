import { parseArgs } from 'node:util';

export const parts = [
  ...(['sites', 'vouchers', 'limited', 'create', 'crowd'] as const),
  ...(['lists', 'webhooks', 'hung', 'startup', 'memory'] as const),
] as const;

/** What can be measured alone. */
export type BenchPart = (typeof parts)[number];

export const databases = ['sqlite', 'postgres'] as const;

/** What the caller of the benchmark wants. */
export interface BenchOptions {
  readonly json: boolean;
  readonly help: boolean;
  readonly only: readonly BenchPart[];
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** How long every contestant is under load before it is measured, so that its code is compiled. */
  readonly warmUpSeconds: number;
  /** Does a missed target end the run with 1? A short run is too noisy to judge by. */
  readonly enforce: boolean;
  readonly generator: 'wrk' | 'autocannon' | undefined;
  /** How long the service is under load before its memory is measured. */
  readonly memorySeconds: number;
  readonly database: (typeof databases)[number];
  /** The program of another version of Node. */
  readonly node: string | undefined;
}

/** A command line that is not understood; the message says what is allowed. */
export class BenchUsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `npm run bench -- [options]

Measures voucherd beside the limit (bare node:http, bare commits) and the conventional way (Express).

  --only NAME       measure only ${parts.join(', ')}; may be repeated
  --rounds N        rounds per request, 1 to 99 (default 5)
  --quick           one short round; targets are reported, a missed one does not fail the run
  --generator NAME  wrk or autocannon (default: wrk where it is installed)
  --database NAME   ${databases.join(' or ')} (default: sqlite); postgres is a server of its own, made for the run
  --node PATH       run all of it with another version of Node: npm has them as packages, npx node@24
  --json            print JSON on stdout; progress still goes to stderr
  --help            print this

Ends with 1 when an answer was wrong or a target was missed.
`;

/** Reads the command line. Throws `UsageError`. */
export const readBenchOptions = (args: readonly string[]): BenchOptions => {
  const { json, help, quick, only, rounds, generator, database, node } = parse(args);
  return {
    json,
    help,
    only: only.length === 0 ? parts : only.map((name) => oneOf('--only', name, parts)),
    rounds: rounds === undefined ? (quick ? 1 : 5) : wholeRounds(rounds),
    seconds: quick ? 1 : 3,
    warmUpSeconds: quick ? 1 : 2,
    memorySeconds: quick ? 2 : 60,
    database: oneOf('--database', database, databases),
    node,
    enforce: !quick,
    generator:
      generator === undefined ? undefined : oneOf('--generator', generator, ['wrk', 'autocannon'] as const),
  };
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        rounds: { type: 'string' },
        generator: { type: 'string' },
        database: { type: 'string', default: databases[0] },
        node: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new BenchUsageError(error instanceof Error ? error.message : String(error));
  }
};

const oneOf = <T extends string>(option: string, value: string, allowed: readonly T[]): T => {
  const found = allowed.find((name) => name === value);
  if (found === undefined)
    throw new BenchUsageError(`${option}: "${value}" is not one of ${allowed.join(', ')}`);
  return found;
};

const wholeRounds = (value: string): number => {
  if (!/^[1-9]\d?$/.test(value))
    throw new BenchUsageError(`--rounds: "${value}" is no whole number from 1 to 99`);
  return Number(value);
};
