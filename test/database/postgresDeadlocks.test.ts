import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { makeTables } from '../../src/app/tables.js';
import { draftAudit } from '../../src/audit/audit.js';
import type { Database } from '../../src/database/database.js';
import { raiseRevisions } from '../../src/database/revisions.js';
import { inTransaction } from '../../src/database/transactions.js';
import { errorCode } from '../../src/lib/errorCode.js';
import { makeSealedValues } from '../../src/secrets/sealedValueTable.js';
import { makePostgresDatabase, openPatiently, type TestDatabase } from '../support/databases.js';
import { addSite, someTime } from '../support/records.js';
import { until } from '../support/until.js';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await makePostgresDatabase();
  database = openPatiently(own.url);
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

/** Two transactions that each lock a row, and then the row of the other one. Returns how often their work began. */
const crossLocks = async (
  run: (work: (transaction: Knex) => Promise<void>) => Promise<void>,
): Promise<{ begun: number; outcomes: PromiseSettledResult<void>[] }> => {
  await database.write('revisions').whereIn('name', ['a', 'b']).delete();
  await database.write('revisions').insert(['a', 'b'].map((name) => ({ name, value: 0 })));
  let begun = 0;
  let holding = 0;
  let release: () => void;
  const both = new Promise<void>((resolve) => (release = resolve));
  const cross = (names: readonly [string, string]) =>
    run(async (transaction) => {
      begun += 1;
      await raiseRevisions(transaction, [names[0]] as never);
      holding += 1;
      if (holding === 2) release();
      await both;
      await raiseRevisions(transaction, [names[1]] as never);
    });
  const outcomes = await Promise.allSettled([cross(['a', 'b']), cross(['b', 'a'])]);
  return { begun, outcomes };
};

const valuesOf = async (): Promise<number[]> =>
  database.read('revisions').whereIn('name', ['a', 'b']).pluck<number[]>('value');

test('a transaction that was ended because of a deadlock is repeated, and takes effect once', async () => {
  const { begun, outcomes } = await crossLocks((work) => inTransaction(database.write, work));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(begun).toBe(3);
  expect(await valuesOf()).toEqual([2, 2]);
});

test('a part of a transaction is not repeated without the rest of it', async () => {
  const { begun, outcomes } = await crossLocks((work) =>
    database.write.transaction((whole) => inTransaction(whole, work)),
  );
  const codes = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [errorCode(outcome.reason)] : [],
  );
  expect(codes).toEqual(['40P01']);
  expect(begun).toBe(2);
  expect(await valuesOf()).toEqual([1, 1]);
});

const isWaited = async (): Promise<boolean> => {
  const { rows } = await database.read.raw<{ rows: unknown[] }>(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
};

test('secrets are sealed again while an order refers to its site and its controller', async () => {
  const tables = makeTables(database);
  const { siteId } = await addSite(tables);
  await database.write('sites').update({ sealed_wifi_password: 'v1' });
  await database.write('controllers').update({ sealed_credentials: 'v1' });
  const ordering = await database.write.transaction();
  // What the foreign keys of an order take.
  await ordering('sites').where({ id: siteId }).forKeyShare().select('id');
  let count: number | undefined;
  const resealed = makeSealedValues(database)
    .reseal(() => 'v2')
    .then((all) => (count = all));
  try {
    await until('it is done or waits', async () => count !== undefined || (await isWaited()));
    expect(count).toBe(2);
  } finally {
    await ordering.rollback();
    await resealed;
  }
});

test('the removal of a profile holds no site while it waits for a change of sites', async () => {
  const tables = makeTables(database);
  const { siteId } = await addSite(tables);
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0, siteIds: null };
  const audit = draftAudit({ kind: 'system', name: null, address: null }, 'profile.remove', someTime);
  const profileId = Number(await tables.profiles.add({ ...limits, name: 'Tag', nameKey: 'tag' }, audit));
  await tables.sites.change(siteId, { defaultProfileId: profileId });
  const changing = await database.write.transaction();
  await raiseRevisions(changing, ['sites']);
  const removed = tables.profiles.remove(profileId, audit);
  try {
    await until('the removal waits', isWaited);
    // Fails at once if another transaction has it.
    const rows = await changing('sites').where({ id: siteId }).forUpdate().noWait().select('id');
    expect(rows).toEqual([{ id: siteId }]);
  } finally {
    await changing.rollback();
    expect(await removed).toBe('removed');
  }
  const [site] = await tables.sites.details([siteId]);
  expect(site).toMatchObject({ defaultProfileId: null });
});
