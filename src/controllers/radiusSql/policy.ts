import { epochMsOf, marker } from './schema.js';
import type { RadiusDialect } from './settings.js';

const user = '%{User-Name}';
const device = '%{Calling-Station-Id}';
const ofUser = 'FROM radacct a WHERE a.username = v.code';
const octets = `(SELECT COALESCE(SUM(COALESCE(a.acctinputoctets, 0) + COALESCE(a.acctoutputoctets, 0)), 0) ${ofUser})`;

/** Seconds until the end; all of them before the first use. */
const secondsLeft = (dialect: RadiusDialect): string => {
  const now = epochMsOf(dialect, 'now()');
  const first = `(SELECT ${epochMsOf(dialect, 'MIN(a.acctstarttime)')} ${ofUser})`;
  const left = `v.minutes * 60 - (${now} - COALESCE(${first}, ${now})) / 1000`;
  return dialect === 'postgresql' ? left : `CAST(FLOOR(${left}) AS SIGNED)`;
};

const select = (value: string): string =>
  `"%{sql:SELECT ${value} FROM voucherd_vouchers v WHERE v.code = '${user}'}"`;

/** How a number above 32 bits is sent: attributes have no more. */
const max32 = '4294967295';
const bytesLeft = `GREATEST(v.quota_mb * 1000000 - ${octets}, 0)`;

const whole = (dialect: RadiusDialect, value: string): string =>
  dialect === 'postgresql' ? `CAST(${value} AS bigint)` : `CAST(${value} AS signed)`;

/** The file that makes FreeRADIUS keep the limits of our vouchers, and lets them in at all. */
export const policyText = (dialect: RadiusDialect): string => `voucherd {
  update request {
    &Tmp-String-8 := ${select(`CASE
      WHEN ${secondsLeft(dialect)} <= 0 THEN 'time'
      WHEN v.quota_mb > 0 AND ${octets} >= v.quota_mb * 1000000 THEN 'volume'
      WHEN v.max_uses > 0 AND (SELECT COUNT(DISTINCT a.callingstationid) ${ofUser} AND a.callingstationid <> '${device}') >= v.max_uses THEN 'devices'
      ELSE 'ok' END`).replaceAll(/\n */g, ' ')}
  }
  if (&request:Tmp-String-8 == "ok") {
    update request {
      &${marker.attribute} := "${marker.value}"
    }
    update reply {
      &Session-Timeout := ${select(`LEAST(${secondsLeft(dialect)}, 2147483647)`)}
    }
    if (${select('v.quota_mb')} != "0") {
      update reply {
        &Mikrotik-Total-Limit := ${select(whole(dialect, `MOD(${bytesLeft}, 4294967296)`))}
        &Mikrotik-Total-Limit-Gigawords := ${select(whole(dialect, `FLOOR(${bytesLeft} / 4294967296)`))}
        &ChilliSpot-Max-Total-Octets := ${select(whole(dialect, `LEAST(${bytesLeft}, ${max32})`))}
        &pfSense-Max-Total-Octets := ${select(whole(dialect, `LEAST(${bytesLeft}, ${max32})`))}
      }
    }
  }
  elsif (&request:Tmp-String-8 != "") {
    update reply {
      &Reply-Message := "This voucher has ended (%{request:Tmp-String-8})"
    }
    reject
  }
}
`;

/** What to do on the server, as the test of a controller prints it. */
export const serverSteps = (dialect: RadiusDialect): string => `On the FreeRADIUS server, unless it is done:
1. Save this as /etc/freeradius/3.0/policy.d/voucherd:

${policyText(dialect)}
2. In /etc/freeradius/3.0/sites-enabled/default, in the section authorize, write a line "voucherd" above "-sql" (or "sql").
3. Keep "-sql" (or "sql") in the section accounting: uses and time are counted from it.
4. Restart FreeRADIUS.`;
