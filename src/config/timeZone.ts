import { refuseSetting } from './configError.js';

/** The names of three letters that the time zone database has. JavaScript knows more of them, such as `PST`. */
const shortNames = /^(CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/;
const name = /^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/;

/** With another name than those of the time zone database, vouchers would be dated in UTC. Upper and lower case count. */
export const assertTimeZone = (given: string | undefined): void => {
  if (!given) return;
  // A colon is how POSIX marks a name.
  const zone = given.replace(/^:/, '');
  const known = (zone.length === 3 ? shortNames : name).test(zone) ? canonicalName(zone) : undefined;
  const differsInCase = known !== zone && known?.toLowerCase() === zone.toLowerCase();
  if (known === undefined || differsInCase)
    refuseSetting('TZ', given, 'a name of the time zone database, such as Europe/Berlin');
};

const canonicalName = (zone: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};
