import { onEachDatabase } from '../controllers/radiusSql/eachDatabase.js';
import { testKills } from './killTest.js';

onEachDatabase('the database of a FreeRADIUS server', (make, dialect) => {
  testKills(async () => {
    const { url, credentials, query, drop } = await make();
    /** Who signs in is who stands in FreeRADIUS' own table. */
    const made = async () => {
      // Our table is made by the first order that gets so far.
      const schema = dialect === 'postgresql' ? 'current_schema()' : 'database()';
      const known = await query(
        `select 1 from information_schema.tables where table_schema = ${schema} and table_name = 'voucherd_vouchers'`,
      );
      if (known.length === 0) return [];
      const rows = await query(
        `select v.code, v.name from voucherd_vouchers v
         join radcheck c on c.username = v.code and c.attribute = 'Cleartext-Password'`,
      );
      return rows.map(({ code, name }) => ({ id: String(code), code: String(code), name: String(name) }));
    };
    return [{ kind: 'radius-sql', settings: { url }, credentials, made, stop: drop }];
  });
});
