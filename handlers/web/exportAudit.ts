import { Readable } from 'node:stream';
import { toAuditFilter } from '../../src/people/audit.js';
import type { WebHandler } from './handler.js';

export const exportAudit: WebHandler<'exportAudit'> = async ({ input, reply }, { people }) =>
  reply(200, Readable.from(people.audit.exportCsv(toAuditFilter(input.query)), { objectMode: false }), {
    'Content-Disposition': 'attachment; filename="audit.csv"',
  });
