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

/** The contract in a file: one that is served, or another text of the first. */
export const contractIn = (file: string): ContractUnderTest[] => {
  const [first] = servedContracts;
  const known = servedContracts.find((one) => one.file === file);
  return known ? [known] : first ? [{ ...first, file }] : [];
};
