import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serveContract, type ContractService, type OperationHandlers } from 'voucherd/contract';
import type { operations } from './contract.js';
import { openDatabase } from './database.js';
import { handlers, type Services } from './handlers.js';
import { makeMembers, type Member } from './members.js';

interface LoansOptions {
  /** The folder of the database. */
  readonly dataDir: string;
  readonly logLevel?: 'info' | 'silent';
  /** Others, for tests. */
  readonly handlers?: OperationHandlers<operations, Member, Services>;
}

/** The service, and what is to be closed after it. */
export const makeLoans = async (
  options: LoansOptions,
): Promise<{ service: ContractService; services: Services }> => {
  mkdirSync(options.dataDir, { recursive: true });
  const database = await openDatabase(join(options.dataDir, 'loans.sqlite'));
  const members = makeMembers(database);
  const service = await serveContract<operations, Member, Services>({
    // Seen from dist/src.
    contract: new URL('../../contract/openapi.yaml', import.meta.url),
    handlers: options.handlers ?? handlers,
    services: { database, members },
    authenticate: (token) => members.find(token),
    nameOf: ({ id }) => `member ${String(id)}`,
    checkReady: async () => void (await database.get('select 1')),
    logLevel: options.logLevel ?? 'info',
  });
  return { service, services: { database, members } };
};
