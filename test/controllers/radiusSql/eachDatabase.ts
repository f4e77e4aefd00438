import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasMariaDb } from '../../support/mariadb.js';
import { makeRadiusPostgres, startRadiusMariaDb, type RadiusDatabase } from './radiusDatabase.js';

/** Runs tests on PostgreSQL, and on MariaDB where it is installed. */
export const onEachDatabase = (
  title: string,
  tests: (make: (schema?: string) => Promise<RadiusDatabase>, dialect: RadiusDatabase['dialect']) => void,
): void => {
  describe(`${title}, on PostgreSQL`, () => tests((schema) => makeRadiusPostgres(schema), 'postgresql'));
  describe(`${title}, on MariaDB`, () => {
    if (!hasMariaDb) {
      test('skipped: no MariaDB server is installed', () => expect(hasMariaDb).toBe(false));
      return;
    }
    let server: Awaited<ReturnType<typeof startRadiusMariaDb>>;
    beforeAll(async () => {
      server = await startRadiusMariaDb();
    });
    tests((schema) => server.make(schema), 'mysql');
    // They run in this order.
    afterAll(() => server.stop());
  });
};
