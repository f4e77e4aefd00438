import { basename } from 'node:path';
import type { CredentialSource } from './target/credentialSource.js';
import { apiKeys } from './target/local/apiKeys.js';
import { startSimulatedNetwork, type SimulatedNetwork } from './target/local/simulatedNetwork.js';
import { webSessions } from './target/local/webSessions.js';
import type { OperationHints } from './target/target.js';
import { apiHints } from './target/operations/index.js';
import { webHints } from './target/webOperations/index.js';

/** A contract that the service serves. */
export interface ContractUnderTest {
  /** What reports call it. */
  readonly name: string;
  readonly file: string;
  /** The path that those of the contract are below; empty for none. */
  readonly basePath: string;
  /** What lets a client in, and how the run gets some. */
  readonly credentials: CredentialSource;
  /** Starts what its operations connect to. */
  readonly startNetwork?: () => Promise<SimulatedNetwork>;
  /** What the contract alone does not say, by operationId, and the folder of the files that say it. */
  readonly hints: Readonly<Record<string, OperationHints>>;
  readonly hintsFolder: string;
  /** The types that are generated from it. */
  readonly types: string;
  /** Where the service shows the whole contract, and the part of it that is described. */
  readonly shownAt?: { readonly yaml: string; readonly json: string };
}

/** A run looks at each of them, one after the other. */
export const servedContracts: readonly [ContractUnderTest, ...ContractUnderTest[]] = [
  {
    name: 'api',
    file: 'openapi.yaml',
    basePath: '',
    credentials: apiKeys,
    hints: apiHints,
    hintsFolder: 'scripts/contract/target/operations',
    types: 'generated/openapi.ts',
    shownAt: { yaml: '/openapi.yaml', json: '/openapi.php' },
  },
  {
    name: 'pages',
    file: 'web.yaml',
    basePath: '/web',
    credentials: webSessions,
    startNetwork: startSimulatedNetwork,
    hints: webHints,
    hintsFolder: 'scripts/contract/target/webOperations',
    types: 'generated/web.ts',
  },
];

/** The contracts in files: those that are served, or other texts of the first. */
export const contractsIn = (files: readonly string[]): ContractUnderTest[] =>
  files.map((file) => {
    const [first] = servedContracts;
    const known = servedContracts.find((one) => one.file === file);
    return known ?? { ...first, name: basename(file).replace(/\.ya?ml$/, ''), file };
  });
