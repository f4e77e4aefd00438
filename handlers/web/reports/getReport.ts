import type { WebHandler } from '../handler.js';
import { toReportReply } from './reportReply.js';

export const getReport: WebHandler<'getReport'> = async (
  { input: { query }, principal, reply, signal },
  { reports },
) => reply(200, toReportReply(await reports.get(query, principal.user, signal)));
