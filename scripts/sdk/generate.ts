import { createClient, type IR } from '@hey-api/openapi-ts';
import { noBody, type ClientContract } from './clientContract.js';

/** An operation as the generated client has it. */
export interface GeneratedOperation {
  /** The name of its method. */
  readonly name: string;
  /** `POST /vouchers.php`. */
  readonly request: string;
  readonly summary: string;
  readonly isDeprecated: boolean;
  /** The name of the type that has its errors by status. */
  readonly errorsType: string | undefined;
}

/** Writes types, methods and the client of a contract into a folder, with hey-api's generator. */
export const generateOperations = async (
  { document }: ClientContract,
  folder: string,
  className: string,
): Promise<GeneratedOperation[]> => {
  const [context] = await createClient({
    input: document,
    output: { path: folder, clean: true, module: { extension: '.js' }, entryFile: false },
    logs: { level: 'silent', file: false },
    plugins: [
      {
        name: '@hey-api/typescript',
        '~resolvers': {
          unknown: ({ $, schema }) => (schema.format === noBody ? $.type('undefined') : undefined),
        },
      },
      { name: '@hey-api/client-fetch', throwOnError: true, baseUrl: false },
      {
        name: '@hey-api/sdk',
        responseStyle: 'data',
        operations: { strategy: 'single', containerName: className, methods: 'instance' },
      },
    ],
  });
  if (!context) throw new Error('the generator of clients returned nothing');
  const nameOf = (query: Parameters<typeof context.gen.symbols.query>[0]): string | undefined =>
    context.gen.symbols.query(query)[0]?.finalName;
  const paths = (context.ir.paths ?? {}) as Record<string, Record<string, IR.OperationObject>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const found = { resource: 'operation', resourceId: operation.id };
      const name = nameOf({ ...found, category: 'sdk' });
      if (name === undefined) return [];
      return [
        {
          name,
          request: `${method.toUpperCase()} ${path}`,
          summary: operation.summary ?? '',
          isDeprecated: operation.deprecated === true,
          errorsType: nameOf({ ...found, category: 'type', role: 'errors' }),
        },
      ];
    }),
  );
};
