/** What the generated TypeScript client does with one feature of contracts: a row of the table in docs/features.md. */
export interface FeatureCalls {
  /** Expressions of TypeScript, awaited one after the other, and what comes of them. Each operation is called. */
  readonly calls: readonly (readonly [expression: string, answer: unknown])[];
  /** Expressions that must not compile. */
  readonly wrong?: readonly string[];
  /** The credentials of the client, another than a token. */
  readonly auth?: string;
  /** What is different, in the words of the table. */
  readonly otherwise?: string;
}
