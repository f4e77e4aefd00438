import type { ClientContract } from './clientContract.js';
import type { GeneratedOperation } from './generate.js';

/** How the package and what it exports are called. */
export interface ClientNames {
  /** Of the package. */
  readonly name: string;
  /** Of the client: `VoucherClient` is made by `createVoucherClient`. */
  readonly className: string;
}

/** `pet-store-client` or `@acme/pet-store` → `PetStoreClient`. */
export const classNameOf = (name: string): string => {
  const words = name.replace(/^@[^/]*\//, '').split(/[^A-Za-z0-9]+/);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return `${joined.replace(/^\d+/, '').replace(/Client$/, '')}Client`;
};

const quoted = (text: string): string => JSON.stringify(text);

/** The class that extends the generated one by our layer. */
export const clientSource = (
  { schemes, keyed, styles }: ClientContract,
  { className }: ClientNames,
  operations: readonly GeneratedOperation[],
): string => {
  const errors = operations.flatMap(({ errorsType }) => (errorsType === undefined ? [] : [errorsType]));
  return `// Written from the contract. Do not edit.
import { ApiError } from './apiError.js';
import { connect, type ConnectOptions, type ContractFacts } from './connect.js';
import { createClient } from './generated/client/index.js';
import { ${className} as Operations } from './generated/sdk.gen.js';
import type * as types from './generated/types.gen.js';

const facts: ContractFacts = {
  schemes: ${JSON.stringify(schemes)},
  keyed: new Set<string>(${JSON.stringify(keyed)}),
  styles: ${JSON.stringify(styles)},
};

type CodeOf<E> = E extends { error: infer C extends string }
  ? C
  : E extends { error: { code: infer C extends string } }
    ? C
    : E extends { code: infer C extends string }
      ? C
      : E extends { type: infer C extends string }
        ? C
        : never;
type ValueOf<T> = T[keyof T];
type OrText<T extends string> = [T] extends [never] ? string : T;

/** The codes that errors of this API have. */
export type ErrorCode = OrText<CodeOf<${errors.length === 0 ? 'never' : errors.map((type) => `ValueOf<types.${type}>`).join(' | ')}>> | 'unknown';

/** Is this an error that the API answered with? */
export const isApiError = (error: unknown): error is ApiError<ErrorCode> => error instanceof ApiError;

export type ${className}Options = ConnectOptions<${Object.keys(schemes).map(quoted).join(' | ') || 'never'}>;

/** A client of one service. Every method returns the body of a good answer and throws \`ApiError\` otherwise. */
export class ${className} extends Operations {
  readonly #options: ${className}Options;

  constructor(options: ${className}Options) {
    super({ client: connect(createClient(), facts, options) });
    this.#options = options;
  }

  /** Makes one call, and returns status and headers of its answer beside the body. */
  async withResponse<T>(call: (client: ${className}) => Promise<T>): Promise<{ data: T; response: Response }> {
    const send = this.#options.fetch ?? ((request: Request) => fetch(request));
    let response: Response | undefined;
    const client = new ${className}({
      ...this.#options,
      fetch: async (request) => (response = await send(request)),
    });
    const data = await call(client);
    if (!response) throw new TypeError('nothing was called');
    return { data, response };
  }
}

export const ${factoryOf(className)} = (options: ${className}Options): ${className} => new ${className}(options);
`;
};

const factoryOf = (className: string): string => `create${className}`;

// What has the name of a type of the contract takes its place here; all of those are in \`types\`.
export const indexSource = ({ className }: ClientNames): string => `export { ApiError } from './apiError.js';
export { ${factoryOf(className)}, isApiError } from './client.js';
export type { ${className}, ${className}Options, ErrorCode } from './client.js';
export type { Credential } from './connect.js';
export type { RetryOptions } from './retry.js';
export type * from './generated/types.gen.js';
export type * as types from './generated/types.gen.js';
`;

/** The version of the contract as one that npm accepts. */
const toPackageVersion = (version: string): string => {
  const [, major, minor = '.0', patch = '.0', rest = ''] =
    /^v?(\d+)(\.\d+)?(\.\d+)?((?:-[0-9A-Za-z.-]+)?)$/.exec(version) ?? [];
  return major === undefined ? '0.0.0' : `${major}${minor}${patch}${rest}`;
};

export const packageJson = (
  { title, version }: ClientContract,
  { name }: ClientNames,
  own: { readonly license: string | undefined; readonly engines: object; readonly tested: boolean },
): object => ({
  name,
  version: toPackageVersion(version),
  description: `TypeScript client of the ${title}`,
  ...(own.license === undefined ? {} : { license: own.license }),
  type: 'module',
  engines: own.engines,
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './types': { types: './dist/generated/types.gen.d.ts', default: './dist/generated/types.gen.js' },
  },
  files: ['dist', 'src', ...(own.tested ? ['test'] : [])],
  ...(own.tested ? { scripts: { test: 'node --test test/*.test.mjs' } } : {}),
});

/** The generated client does not compile with \`exactOptionalPropertyTypes\`; programs that use it do. */
export const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  declaration: true,
  sourceMap: true,
  types: [],
  rootDir: 'src',
  outDir: 'dist',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();

/** What somebody reads who has just installed the client. */
export const readme = (
  contract: ClientContract,
  { name, className }: ClientNames,
  operations: readonly GeneratedOperation[],
  example: string | undefined,
): string => {
  const { title, version, schemes, keyed } = contract;
  const create = factoryOf(className);
  const names = Object.keys(schemes);
  const rows = operations.map(
    ({ name: method, request, summary, isDeprecated }) =>
      `| \`${method}\` | \`${request}\` | ${cell(summary)}${isDeprecated ? ' (deprecated)' : ''} |`,
  );
  const calls = `import { ${create}, isApiError } from '${name}';

const client = ${create}({ baseUrl: 'https://api.example.org'${names.length > 0 ? ", auth: process.env.API_KEY ?? ''" : ''} });
`;
  return `# ${name}

The TypeScript client of the ${title}, version ${version}. Types and methods are generated from the contract of the service by [hey-api](https://heyapi.dev/).

\`\`\`ts
${example ?? calls}\`\`\`

| method | request | what it does |
|---|---|---|
${rows.join('\n')}

- **Arguments** are \`body\`, \`query\`, \`path\` and \`headers\`, as the contract has them, and \`signal\`, which aborts the call. Cookies of the contract are \`headers: { Cookie: { name: 'value' } }\`; browsers send their own.
- **Answers** are the body: JSON as objects, text as strings, other media types as a \`Blob\`, and \`undefined\` where there is none; \`parseAs: 'stream'\` gives a stream. \`client.withResponse((client) => client.someMethod())\` returns \`data\` and \`response\`, with status and headers.
${
  names.length > 0
    ? `- **Credentials**: \`auth\` is for \`${names[0] ?? ''}\`, as a string or as a function that returns the current one. Name the schemes to use others: \`auth: { ${names.at(-1) ?? ''}: '…' }\`.\n`
    : ''
}- **Errors** are \`ApiError\` with \`status\`, \`code\`, \`message\`, \`requestId\`, \`retryAfter\` and \`body\`. \`isApiError\` narrows \`code\` to those that the contract documents. Without an answer, \`fetch\`'s own error is thrown, or a \`TimeoutError\`.
- **Retries**: requests that change nothing${keyed.length > 0 ? ', and those with an `Idempotency-Key`,' : ''} are sent again after 429, 5xx and lost connections, up to three times, after the time that \`Retry-After\` asks for. \`retry\` changes that, and sets the timeout of 30 seconds.
${
  keyed.length > 0
    ? `- **Nothing twice**: ${keyed.map((request) => `\`${request}\``).join(', ')} gets an \`Idempotency-Key\`, which its retries keep. Set \`headers: { 'Idempotency-Key': … }\` to make your own repetitions safe as well, after a crash for instance.\n`
    : ''
}
Node 20 or newer, or any browser. No dependencies.
`;
};
