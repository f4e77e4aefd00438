declare module 'openapi-to-postmanv2' {
  export interface Converted {
    readonly result: boolean;
    readonly reason?: string;
    readonly output: readonly { readonly data: object }[];
  }
  const postman: {
    convertV2(
      input: { type: 'string'; data: string },
      options: Record<string, unknown>,
      done: (error: Error | null, converted: Converted) => void,
    ): void;
  };
  export default postman;
}

declare module 'newman' {
  export interface Summary {
    readonly run: {
      readonly executions: readonly {
        readonly item: { name: string };
        readonly response: { code: number };
      }[];
      readonly failures: readonly unknown[];
    };
  }
  const newman: {
    run(options: Record<string, unknown>, done: (error: Error | null, summary: Summary) => void): void;
  };
  export default newman;
}
