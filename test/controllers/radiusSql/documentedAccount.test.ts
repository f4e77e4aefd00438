import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import { collectVouchers, orderFor } from '../../conformance/controller.js';
import { root } from '../../support/built.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { onEachDatabase } from './eachDatabase.js';

/** A statement of docs/radius.md: from a line that begins so to its end. */
const blocks = [...readFileSync(join(root, 'docs/radius.md'), 'utf8').matchAll(/```sql\n([^]*?)```/g)].map(
  ([, sql = '']) => sql,
);
const blockWith = (start: string): string => blocks.find((sql) => sql.includes(start)) ?? '';

onEachDatabase('the account that the document describes', (make, dialect) => {
  const isPostgres = dialect === 'postgresql';

  test.each(isPostgres ? [true, false] : [true])(
    'may do all that is needed (may create a table: %s)',
    async (mayCreate) => {
      const database = await make();
      const password = randomBytes(9).toString('hex');
      const username = `account_${randomBytes(6).toString('hex')}`;
      const adapt = (sql: string): string =>
        sql
          .replaceAll("'voucherd'@'192.168.1.10'", `'${username}'@'127.0.0.1'`)
          .replaceAll(/(role|to) voucherd;?/g, (text) => text.replace('voucherd', username))
          .replaceAll('on radius.', `on ${database.name}.`)
          .replace('PASSWORD', password);
      const account = adapt(blockWith(isPostgres ? 'create role voucherd' : "create user 'voucherd'"));
      await database.query(mayCreate ? account : account.replace('usage, create on', 'usage on'));
      if (isPostgres && !mayCreate) await database.query(adapt(blockWith('create table voucherd_vouchers')));
      const controller = makeRadiusSql({
        ...someControllerDeps(),
        ...{ name: 'radius', settings: { url: database.url }, credentials: { username, password } },
      });
      try {
        await controller.probe();
        const order = orderFor(controller, { down: 1000 }, 2);
        const made = await controller.create(order, 2);
        expect(await controller.create(order, 2)).toEqual(made);
        expect((await collectVouchers(controller)).map(({ code }) => code).sort()).toEqual(
          order.codes!.toSorted(),
        );
        await controller.revoke(null, made[0]!.id!);
        await controller.disconnect!(null, made[0]!.id!);
        expect(await collectVouchers(controller)).toHaveLength(1);
      } finally {
        await controller.close();
        await database.query(
          isPostgres
            ? `drop owned by ${username} cascade; drop role ${username}`
            : `drop user '${username}'@'127.0.0.1'`,
        );
        await database.drop();
      }
    },
  );
});
