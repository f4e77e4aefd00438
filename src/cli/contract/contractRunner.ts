import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../lib/packageRoot.js';
import { CommandError, type Io } from '../io.js';

/** The command line, as it was typed. */
export interface ContractRunRequest {
  readonly stages: readonly string[];
  readonly contract: string;
  readonly url?: string | undefined;
  readonly keyEnv: readonly string[];
  readonly keyFile: readonly string[];
  readonly readKeyEnv?: string | undefined;
  readonly readKeyFile?: string | undefined;
  readonly header: readonly string[];
  readonly scenarios?: string | undefined;
  readonly allowWrites: boolean;
  readonly maxRequests: number;
  readonly against?: string | undefined;
  readonly seed?: number | undefined;
  readonly runs: number;
  readonly out: string;
}

/** What came out of a run. */
export interface ContractRunSummary {
  readonly kind: 'done';
  readonly isGood: boolean;
  readonly seed: number;
  readonly requests: number;
  /** The folder of the reports. */
  readonly reports: string;
  readonly stages: readonly {
    readonly name: string;
    readonly outcome: 'passed' | 'failed' | 'warned' | 'skipped';
    readonly cases: number;
    /** Each cause once. */
    readonly failures: readonly {
      readonly name: string;
      readonly what: string;
      readonly at: string | null;
      readonly curl: string | null;
    }[];
  }[];
}

type ContractRunOutcome =
  | ContractRunSummary
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'interrupted' };

/** The contract run, of which this program knows no more. */
export interface ContractRunner {
  runContract(
    request: ContractRunRequest,
    deps: {
      readonly env: Io['env'];
      readonly write: (text: string) => void;
      readonly isQuiet: boolean;
    },
  ): Promise<ContractRunOutcome>;
}

/** Loads it from its own file: it and its packages are large, and no other command needs them. */
export const loadContractRunner = (): ContractRunner => {
  const file = join(packageRoot, 'dist/program/contractRun.cjs');
  if (!existsSync(file))
    throw new CommandError('not-applicable', 'the contract run is not built: run `npm run build`');
  return createRequire(import.meta.url)(file) as ContractRunner;
};
