import { pino } from 'pino';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { startApp } from '../../src/app/app.js';
import type { App } from '../../src/app/runningApp.js';
import { readConfig } from '../../src/config/config.js';
import { nodeSystem } from '../../src/lib/system.js';
import { changedContract } from '../support/contract.js';
import { makeFolder } from '../support/folder.js';
import { send, type Answer, type RequestOptions } from '../support/service.js';

/** A service as `npm run dev` starts it, in this process. */
export interface DevelopmentService {
  readonly service: App;
  readonly contractFile: string;
  get(path: string, headers?: RequestOptions['headers']): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts with a contract as a designer might have changed it, and with a key that every request carries. */
export const startDevelopmentService = async (
  changes: [from: string, to: string][],
  { rateLimit = 0 } = {},
): Promise<DevelopmentService> => {
  const contract = changedContract(...changes);
  const folder = await makeFolder();
  const config = readConfig({ PORT: '0', NODE_ENV: 'development', DATA_DIR: folder.path });
  const log = pino({ level: 'silent' });
  const service = await startApp({ config, log, contract: contract.file, development: true });
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  const createdAt = nodeSystem.now();
  await service.tables.apiKeys.add({
    name: 'Test',
    prefix,
    hash,
    scope: 'write',
    rateLimit,
    createdAt,
    expiresAt: null,
  });
  return {
    service,
    contractFile: contract.file,
    get: (path, headers = {}) => send(service.url, 'GET', path, { key, headers }),
    stop: async () => {
      await service.stop();
      await folder.remove();
      contract.remove();
    },
  };
};

/** A designer's new operation: named examples, an example without a name, and a status that has none. */
export const findSite = `  /site.php:
    get:
      operationId: findSite
      tags: [sites]
      summary: Get one active site
      x-scope: read
      parameters:
        - name: site_id
          in: query
          required: true
          schema: { type: integer, minimum: 1, x-lenient: true, x-message: site_id erforderlich }
          example: 1
      responses:
        '401': { $ref: '#/components/responses/Unauthorized' }
        '400': { $ref: '#/components/responses/InvalidRequest' }
        '404':
          description: There is no active site with this id
          x-error: not_found
          x-message: Site nicht gefunden
          headers:
            Retry-After: { schema: { type: integer }, example: 42 }
            X-Sometimes: { required: false, schema: { type: string }, example: left out }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Error' }
              examples:
                missing: { value: { error: not_found, message: Site nicht gefunden } }
                in use: { value: { error: not_found, message: Site wird gerade umgezogen } }
        '204':
          description: Nothing to say
        '202':
          description: Later
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Site' }
        '200':
          description: The site
          headers:
            RateLimit-Limit: { $ref: '#/components/headers/RateLimit-Limit' }
            ETag: { $ref: '#/components/headers/ETag' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Site' }
              examples:
                main: { value: { id: 1, name: Hauptgebäude } }
                other: { value: { id: 2, name: Nebengebäude } }

`;

/** The change that adds an operation. */
export const adding = (operation: string): [from: string, to: string] => [
  '  /vouchers.php:\n',
  `${operation}  /vouchers.php:\n`,
];
