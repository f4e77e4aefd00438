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

/** Runs it against a service, and ends that. */
export const runOnService = async (
  service: RunService,
  token: string,
  { folder, ...given }: Partial<ContractRunRequest> & { folder: string; contract: string },
): Promise<ThirdPartyRun> => {
  const printed: string[] = [];
  const out = join(folder, 'report');
  try {
    const result = await runThirdPartyContract(
      {
        stages: [],
        url: service.url,
        keyEnv: ['TOKEN'],
        keyFile: [],
        header: [],
        allowWrites: false,
        maxRequests: 5000,
        seed: 1,
        runs: 5,
        out,
        ...given,
      },
      {
        env: { TOKEN: token },
        screen: { isTerminal: false, columns: 80, write: (text) => printed.push(text) },
        now: Date.now,
        onInterrupt: () => undefined,
      },
    );
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
