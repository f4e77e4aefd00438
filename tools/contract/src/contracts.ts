import { basename } from 'node:path';
import type { CredentialSource } from './target/credentialSource.js';
import type { SimulatedNetwork } from './target/serviceTypes.js';
import type { NeverShown, OperationHints } from './target/target.js';

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
  /** Fields that no operation's run can see. */
  readonly neverShown?: NeverShown;
  readonly hintsFolder: string;
  /** What JSON answers say of themselves, letter by letter. */
  readonly jsonContentType?: string;
  /** The request ids of clients that answers have again; any other is replaced. */
  readonly keptRequestIds?: RegExp;
  /** The types that are generated from it. */
  readonly types?: string;
  /** Does it belong to a service that is not ours? Then only what OpenAPI itself says is expected of it. */
  readonly thirdParty?: boolean;
  /** Where the service shows the whole contract, and the part of it that is described. */
  readonly shownAt?: { readonly yaml: string; readonly json: string };
}

/** The contracts of a service. A run looks at each of them, one after the other. */
export type ServedContracts = readonly [ContractUnderTest, ...ContractUnderTest[]];

/** The contracts in files: those that are served, or other texts of the first. */
export const contractsIn = (files: readonly string[], served: ServedContracts): ContractUnderTest[] =>
  files.map((file) => {
    const [first] = served;
    const known = served.find((one) => one.file === file);
    return known ?? { ...first, name: basename(file).replace(/\.ya?ml$/, ''), file };
  });
