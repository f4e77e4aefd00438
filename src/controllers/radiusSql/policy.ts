import { epochMsOf, marker } from './schema.js';
import type { RadiusDialect } from './settings.js';

const user = '%{User-Name}';
const device = '%{Calling-Station-Id}';

/** How a number above 32 bits is sent: attributes have no more. */
const max32 = '4294967295';

/**
 * What FreeRADIUS asks at a sign-in, at once, so that accounting is read once: `time`,
 * `volume` or `devices` when a voucher has ended, else `ok`, the seconds left,
 * and the bytes left as lower and higher 32 bits and at most 32 bits; 0 without a volume.
 */
export const signInSql = (dialect: RadiusDialect): string => {
  const [now, first] = [epochMsOf(dialect, 'now()'), epochMsOf(dialect, 'MIN(a.acctstarttime)')];
  const bytes = (value: string): string => `CASE WHEN u.quota > 0 THEN ${value} ELSE 0 END`;
  const left = 'u.quota - u.octets';
  const used = `(${now} - COALESCE(${first}, ${now})) / 1000`;
  const seconds = dialect === 'postgresql' ? used : `CAST(FLOOR(${used}) AS SIGNED)`;
  return `SELECT CASE
    WHEN u.seconds <= 0 THEN 'time'
    WHEN u.quota > 0 AND u.octets >= u.quota THEN 'volume'
    WHEN u.uses > 0 AND u.others >= u.uses THEN 'devices'
    ELSE CONCAT('ok ', LEAST(u.seconds, 2147483647), ' ', ${bytes(`MOD(${left}, 4294967296)`)},
      ' ', ${bytes(`FLOOR((${left}) / 4294967296)`)}, ' ', ${bytes(`LEAST(${left}, ${max32})`)}) END
    FROM (SELECT v.max_uses AS uses, v.quota_mb * 1000000 AS quota,
      v.minutes * 60 - ${seconds} AS seconds,
      COALESCE(SUM(COALESCE(a.acctinputoctets, 0) + COALESCE(a.acctoutputoctets, 0)), 0) AS octets,
      COUNT(DISTINCT CASE WHEN a.callingstationid <> '${device}' THEN a.callingstationid END) AS others
      FROM voucherd_vouchers v LEFT JOIN radacct a ON a.username = v.code
      WHERE v.code = '${user}' GROUP BY v.code, v.minutes, v.quota_mb, v.max_uses) u`.replaceAll(
    /\n */g,
    ' ',
  );
};

/** The file that makes FreeRADIUS keep the limits of our vouchers, and lets them in at all. */
export const policyText = (dialect: RadiusDialect): string => `voucherd {
  update request {
    &Tmp-String-8 := "%{sql:${signInSql(dialect)}}"
  }
  if (&request:Tmp-String-8 =~ /^ok ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+)$/) {
    update request {
      &${marker.attribute} := "${marker.value}"
    }
    update reply {
      &Session-Timeout := "%{1}"
    }
    if ("%{4}" != "0") {
      update reply {
        &Mikrotik-Total-Limit := "%{2}"
        &Mikrotik-Total-Limit-Gigawords := "%{3}"
        &ChilliSpot-Max-Total-Octets := "%{4}"
        &pfSense-Max-Total-Octets := "%{4}"
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
