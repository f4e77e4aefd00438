import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractRunRequest } from '../../src/cli/contract/contractRunner.js';
import { isGood, type RunResult } from '../../tools/contract/src/run/results.js';
import { runThirdPartyContract } from '../../tools/contract/src/thirdParty/thirdPartyRun.js';
import { libraryFile, libraryToken, startLibrary, type LibraryDefects } from './libraryService.js';
import { failuresOf } from './stageRun.js';

export interface ThirdPartyRun {
  readonly isGood: boolean;
  readonly result: RunResult;
  readonly printed: string;
  /** All reports as one text. */
  readonly reports: string;
  /** `name → what is wrong`, each cause once. */
  readonly failures: Readonly<Record<string, string>>;
  /** What the service got: method and path. */
  readonly requests: readonly string[];
}

/** A service of others, which a run tests. */
export interface RunService {
  readonly url: string;
  /** Method and path of each request. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Runs `voucherd contract` in this process, against a library of its own. */
export const runOnLibrary = async (
  folder: string,
  stages: readonly string[],
  more: Partial<ContractRunRequest> = {},
  defects: LibraryDefects = {},
): Promise<ThirdPartyRun> =>
  runOnService(await startLibrary(defects), libraryToken, { folder, stages, contract: libraryFile, ...more });

type Given = Partial<ContractRunRequest> & { readonly contract: string };

/** Runs `voucherd contract` in this process, and shows what it prints to nobody else. */
export const runInProcess = (
  folder: string,
  env: Record<string, string>,
  given: Given,
  write: (text: string) => unknown = () => undefined,
): Promise<RunResult | undefined> =>
  runThirdPartyContract(
    {
      ...{ stages: [], keyEnv: [], keyFile: [], header: [], allowWrites: true },
      ...{ maxRequests: 5000, seed: 1, runs: 5, out: join(folder, 'report') },
      ...given,
    },
    {
      env,
      screen: { isTerminal: false, columns: 80, write },
      now: Date.now,
      onInterrupt: () => undefined,
    },
  );

/** `name → what is wrong`, of all contracts. */
export const allFailuresOf = (result: RunResult | undefined): Record<string, string> =>
  Object.assign({}, ...(result?.contracts ?? []).map(failuresOf)) as Record<string, string>;

/** Runs it against a service, and ends that. */
export const runOnService = async (
  service: RunService,
  token: string,
  { folder, ...given }: Given & { folder: string },
): Promise<ThirdPartyRun> => {
  const printed: string[] = [];
  const out = join(folder, 'report');
  const ours = { url: service.url, keyEnv: ['TOKEN'], allowWrites: false, ...given };
  try {
    const result = await runInProcess(folder, { TOKEN: token }, ours, (text) => printed.push(text));
    if (!result) throw new Error('it was interrupted');
    const causes = result.contracts.map(({ stages: ran, ...contract }) => ({
      ...contract,
      stages: ran.map((stage) => ({ ...stage, cases: stage.cases.filter(({ sameAs }) => !sameAs) })),
    }));
    return {
      isGood: isGood(result),
      result,
      printed: printed.join(''),
      reports: readdirSync(out)
        .map((file) => readFileSync(join(out, file), 'utf8'))
        .join('\n'),
      failures: Object.assign({}, ...causes.map(failuresOf)) as Record<string, string>,
      requests: service.requests,
    };
  } finally {
    await service.close();
  }
};
