import { Readable } from 'node:stream';
import type { WebHandler } from './handler.js';
import { csvFile, languageOf } from './replies.js';

export const exportVouchers: WebHandler<'exportVouchers'> = async ({ input, key, reply }, { vouchers }) =>
  reply(
    200,
    Readable.from(await vouchers.exportFound(input.query, key.user, languageOf(input.query, key)), {
      objectMode: false,
    }),
    csvFile,
  );
