import { expect } from '@jest/globals';
import { ControllerError } from '../../../src/controllers/errors.js';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import { isRolledBack, toRefusal } from '../../../src/controllers/radiusSql/sqlFailure.js';
import { collectVouchers, orderFor } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { forAllTests } from '../../support/fixture.js';
import { makeRadiusPostgres } from './radiusDatabase.js';

const errorWith = (code: string): Error => Object.assign(new Error('password=geheim'), { code });

testCases(['40001', '40P01', '23505', 'ER_LOCK_DEADLOCK'])(
  'a commit that fails with a rollback wrote nothing',
  (code) => expect(isRolledBack(errorWith(code))).toBe(true),
);

testCases([
  ...['EPIPE', 'E2BIG', 'ECONNRESET', 'ETIMEDOUT', 'PROTOCOL_CONNECTION_LOST', ''],
  ...['40003', '08006', '08007', '57P01', 'XX000', '58030', '53100'],
  ...['ER_SERVER_SHUTDOWN', 'ER_CONNECTION_KILLED', 'ER_QUERY_INTERRUPTED', 'ER_ERROR_DURING_COMMIT'],
])('a commit that fails otherwise may have written', (code) =>
  expect(isRolledBack(errorWith(code))).toBe(false),
);

testCases([
  ['EPIPE', { kind: 'unreachable', reason: 'reset' }],
  ['E2BIG', { kind: 'unreachable', reason: 'other' }],
  ['57P01', { kind: 'unreachable', reason: 'reset' }],
  ['ER_SERVER_SHUTDOWN', { kind: 'unreachable', reason: 'reset' }],
  ['PROTOCOL_CONNECTION_LOST', { kind: 'unreachable', reason: 'reset' }],
  ['HANDSHAKE_SSL_ERROR', { kind: 'unreachable', reason: 'tls' }],
  ['ERR_TLS_CERT_ALTNAME_INVALID', { kind: 'unreachable', reason: 'tls' }],
  ['28P01', { kind: 'credentials' }],
  ['ER_ACCESS_DENIED_ERROR', { kind: 'credentials' }],
  ['42501', { kind: 'permission', of: 'account' }],
  ['ER_TABLEACCESS_DENIED_ERROR', { kind: 'permission', of: 'account' }],
  ['3D000', { kind: 'refused', said: 'there is no such database' }],
  ['42P01', { kind: 'refused', said: "a table of FreeRADIUS' schema is missing" }],
  ['XX000', { kind: 'refused', said: 'the database answered with the error XX000' }],
  ['ER_DATA_TOO_LONG', { kind: 'refused', said: 'the database answered with the error ER_DATA_TOO_LONG' }],
])('an error is worded by its code alone', (code, failure) => {
  const refusal = toRefusal('radius', errorWith(code));
  expect(refusal).toBeInstanceOf(ControllerError);
  expect(refusal.failure).toMatchObject(failure);
  expect(refusal.message).not.toContain('geheim');
});
const database = forAllTests(makeRadiusPostgres, 'drop');

testCases([
  ['40001', 'ControllerError'],
  ['23514', 'ControllerError'],
  ['40003', 'OutcomeUnknown'],
  ['XX000', 'OutcomeUnknown'],
])(
  'an order whose commit is rolled back has failed, and otherwise its outcome is unknown',
  async (code, name) => {
    await database.query(
      `create or replace function fail() returns trigger language plpgsql as
       $$ begin raise exception using errcode = '${code}'; end $$;
     create constraint trigger fail after insert on radcheck deferrable initially deferred
       for each row execute function fail()`,
    );
    const controller = makeRadiusSql({
      ...someControllerDeps(),
      ...{ name: 'radius', settings: { url: database.url }, credentials: database.credentials },
    });
    try {
      const order = orderFor(controller);
      await expect(controller.create(order, 1)).rejects.toMatchObject({ name });
      await database.query('drop trigger fail on radcheck');
      // Whatever became of it, a repetition makes it once.
      const made = await controller.create(order, 1);
      expect(made.map((voucher) => voucher.code)).toEqual(order.codes);
      const listed = await collectVouchers(controller);
      expect(listed.filter(({ id }) => id === order.codes![0])).toEqual(made);
    } finally {
      await controller.close();
    }
  },
);
