import { Readable } from 'node:stream';
import type { WebHandler } from '../handler.js';
import { csvFile, languageOf } from '../replies.js';

export const exportSelectedVouchers: WebHandler<'exportSelectedVouchers'> = async (
  { input, key, reply },
  { vouchers },
) =>
  reply(
    200,
    Readable.from(await vouchers.exportSelected(input.body, key.user, languageOf(input.query, key)), {
      objectMode: false,
    }),
    csvFile,
  );
