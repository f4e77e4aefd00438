import { basename } from 'node:path';

/** A contract that the service serves. */
export interface ContractUnderTest {
  /** What reports call it. */
  readonly name: string;
  readonly file: string;
  /** The types that are generated from it. */
  readonly types: string;
  /** Where the service shows the whole contract, and the part of it that is described. */
  readonly shownAt?: { readonly yaml: string; readonly json: string };
}

/** A run looks at each of them, one after the other. */
export const servedContracts: readonly ContractUnderTest[] = [
  {
    name: 'api',
    file: 'openapi.yaml',
    types: 'generated/openapi.ts',
    shownAt: { yaml: '/openapi.yaml', json: '/openapi.php' },
  },
];

/** The contracts in files: those that are served, or other texts of the first. */
export const contractsIn = (files: readonly string[]): ContractUnderTest[] =>
  files.map((file) => {
    const [first] = servedContracts;
    const known = servedContracts.find((one) => one.file === file);
    return known ?? { types: '', ...first, name: basename(file).replace(/\.ya?ml$/, ''), file };
  });
