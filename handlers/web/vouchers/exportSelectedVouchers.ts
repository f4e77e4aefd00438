import { Readable } from 'node:stream';
import type { WebHandler } from '../handler.js';
import { csvFile, languageOf } from '../replies.js';

export const exportSelectedVouchers: WebHandler<'exportSelectedVouchers'> = async (
  { input, principal, reply },
  { vouchers, limitFiles },
) => {
  const { user } = principal;
  const language = languageOf(input.query, principal);
  const file = await limitFiles(user.id, async () =>
    Readable.from(await vouchers.exportSelected(input.body, user, language), { objectMode: false }),
  );
  return reply(200, file, csvFile);
};
