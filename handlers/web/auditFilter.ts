import type { operations } from '../../generated/web.js';
import { auditActions, type AuditFilter } from '../../src/storage/auditLog.js';

type AuditQuery = NonNullable<operations['listAudit']['parameters']['query']>;

const toMs = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time);

/** What the query of the audit log lets through. */
export const toAuditFilter = ({ from, to, actorName, area }: AuditQuery): AuditFilter => ({
  from: toMs(from),
  to: toMs(to),
  actorName: actorName === '' ? undefined : actorName,
  actions: area && auditActions.filter((action) => action.startsWith(`${area}.`)),
});
