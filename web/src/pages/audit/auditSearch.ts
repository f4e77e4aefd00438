import type { Schemas } from '../../api/schemas.ts';
import { dayStart } from '../../i18n/format.ts';
import { readChoice, readDay, readText, type RawSearch } from '../../lib/search.ts';

type Area = Schemas['AuditArea'];

/** All of them, in the order of the list: a missing one is an error of types. */
const areaSet: Readonly<Record<Area, true>> = {
  voucher: true,
  user: true,
  session: true,
  controller: true,
  site: true,
  profile: true,
  printer: true,
  kiosk: true,
  key: true,
  webhook: true,
  limit: true,
  mail: true,
  sms: true,
  setting: true,
  secret: true,
  retention: true,
};
export const auditAreas = Object.keys(areaSet) as Area[];

/** What is looked for, as the address has it; all of it, unless a value says otherwise. */
export interface AuditFilterValue {
  readonly area?: Area | undefined;
  readonly actorName?: string | undefined;
  /** Days as a date field writes them. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const readAuditSearch = (search: RawSearch): AuditFilterValue => ({
  area: readChoice(search['area'], auditAreas),
  actorName: readText(search['actorName']),
  from: readDay(search['from']),
  to: readDay(search['to']),
});

/** The parameters of the API; what is not filtered by is left out. */
export const toAuditQuery = ({ area, actorName = '', from, to }: AuditFilterValue) => ({
  ...(area !== undefined && { area }),
  ...(actorName.trim() !== '' && { actorName: actorName.trim() }),
  ...(from !== undefined && { from: dayStart(from) }),
  ...(to !== undefined && { to: dayStart(to, 1) }),
});
