import { Readable } from 'node:stream';
import { toAuditFilter } from '../../src/people/audit.js';
import type { WebHandler } from './handler.js';
import { languageOf } from './replies.js';

export const exportAudit: WebHandler<'exportAudit'> = async (
  { input: { query }, key, reply },
  { people },
) => {
  const lines = people.audit.exportCsv(toAuditFilter(query), languageOf(query, key));
  return reply(200, Readable.from(lines, { objectMode: false }), {
    'Content-Disposition': 'attachment; filename="audit.csv"',
  });
};
