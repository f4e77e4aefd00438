import { Readable } from 'node:stream';
import type { WebHandler } from '../handler.js';
import { csvFile, languageOf } from '../replies.js';

export const exportSelectedVouchers: WebHandler<'exportSelectedVouchers'> = async (
  { input, principal, reply },
  { vouchers },
) =>
  reply(
    200,
    Readable.from(
      await vouchers.exportSelected(input.body, principal.user, languageOf(input.query, principal)),
      {
        objectMode: false,
      },
    ),
    csvFile,
  );
