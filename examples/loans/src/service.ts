import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serveContract, type ContractService, type OperationHandlers } from 'voucherd/contract';
import type { operations } from './contract.js';
import { askProvider } from './club.js';
import { openDatabase } from './database.js';
import { handlers, type Services } from './handlers.js';
import { makeMembers, type Member } from './members.js';
import { makePhotos } from './photos.js';

interface LoansOptions {
  /** The folder of the database and the photos. */
  readonly dataDir: string;
  /** Where new things are announced; nowhere without one. */
  readonly webhookUrl?: string | undefined;
  /** The OpenID provider of the club; without one nobody has its tokens. */
  readonly clubUrl?: string | undefined;
  readonly logLevel?: 'info' | 'silent';
  /** Others, for tests. */
  readonly handlers?: OperationHandlers<operations, Member, Services>;
}

const post = (url: string, body: object): void => {
  // A receiver that is away keeps nobody from offering a thing.
  const sent = fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  sent.then((answer) => answer.body?.cancel()).catch((error: unknown) => console.error(String(error)));
};

/** The service, and what is to be closed after it. */
export const makeLoans = async (
  options: LoansOptions,
): Promise<{ service: ContractService; services: Services }> => {
  mkdirSync(options.dataDir, { recursive: true });
  const database = await openDatabase(join(options.dataDir, 'loans.sqlite'));
  const members = makeMembers(database);
  const { webhookUrl, clubUrl } = options;
  const services: Services = {
    ...{ database, members, photos: await makePhotos(join(options.dataDir, 'photos')) },
    announce: (thing) => {
      if (webhookUrl !== undefined) post(webhookUrl, thing);
    },
  };
  const service = await serveContract<operations, Member, Services>({
    // Seen from dist/src.
    contract: new URL('../../contract/openapi.yaml', import.meta.url),
    handlers: options.handlers ?? handlers,
    services,
    authenticate: (token, { scheme }) => {
      if (scheme !== 'club') return members.find(token);
      return clubUrl === undefined ? undefined : askProvider(clubUrl, token);
    },
    nameOf: ({ id }) => `member ${String(id)}`,
    checkReady: async () => void (await database.get('select 1')),
    logLevel: options.logLevel ?? 'info',
  });
  return { service, services };
};
