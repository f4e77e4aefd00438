import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { refusal } from '../../support/refusal.js';
import type { Answer } from '../../support/service.js';
import { controllerVouchers, rowsOf } from '../../support/serviceInternals.js';
import { addConsole, consoleKinds } from '../../vouchers/consoleFixtures.js';

const upstreamError = refusal(
  502,
  'upstream_error',
  'Der Controller hat keinen gültigen Voucher zurückgegeben',
);
const [deadlineS, graceS] = [60, 60];
const clock = makeClock();
const api = withApi({
  system: clock,
  env: {
    CONTROLLER_DEADLINE_S: String(deadlineS),
    RECONCILE_GRACE_S: String(graceS),
  },
});

const order = (siteId: number, name = 'Familie Berger', headers = {}): Promise<Answer> =>
  api.createVoucher({ site_id: siteId, name }, { headers });
const recorded = async (siteId: number) =>
  (await api.tables.vouchers.newest(siteId, 200)).map(({ code }) => code);
/** Twice, so that what is missing was missing for the grace period. */
const reconcile = async (): Promise<number> => {
  clock.advance(deadlineS * 1000 + 1);
  await api.app.reconcile();
  clock.advance(graceS * 1000);
  return api.app.reconcile();
};

describe('a simulated controller', () => {
  test.each([
    ['no voucher', 'no-voucher'],
    ['one without a formatted_code', 'no-code'],
  ])(
    'if the controller returns %s, the result is 502 upstream_error in German [createVoucher-502]',
    async (_, fault) => {
      const siteId = await api.addSite({ fault });
      expect(await order(siteId)).toMatchObject(upstreamError);
      expect(await recorded(siteId)).toEqual([]);
      expect(await rowsOf(api, 'notifications')).toEqual([]);
      expect(await reconcile()).toBe(0);
      expect(await recorded(siteId)).toEqual([]);
      expect(await controllerVouchers(api, siteId)).toEqual([]);
    },
  );

  test('a voucher with a code and without an id is recorded with a null id [createVoucher-without-id]', async () => {
    const siteId = await api.addSite({ fault: 'no-id' });
    expect((await order(siteId)).status).toBe(201);
    const ids = await api.database.read('vouchers').where('site_id', siteId);
    expect(ids).toMatchObject([{ controller_voucher_id: null }]);
  });
});

describe.each(consoleKinds)('a console of the kind %s', (kind) => {
  let console: UnifiConsole;
  let siteId: number;
  const whole = (note: string): string => note;
  /** What the console makes of a note. */
  let keepNote = whole;
  beforeAll(async () => {
    console = await startUnifiConsole({
      clock: clock.now,
      loginLimit: 100,
      keepNote: (note) => keepNote(note),
    });
    [siteId] = (await addConsole(api, console, kind)) as [number];
  });
  afterAll(() => console.stop());
  const codesThere = () =>
    console
      .vouchers()
      .map(({ code }) => code)
      .sort();

  // What else is 502, on every kind of controller, has test/specification/noVoucher.test.ts.
  test('after a 502 the idempotency key is free at once, and the voucher is revoked [idempotency-free-without-voucher]', async () => {
    const headers = { 'Idempotency-Key': kind };
    console.fault({ kind: 'no-code' });
    expect(await order(siteId, 'ohne Code', headers)).toMatchObject(upstreamError);
    console.fault(undefined);
    const lost = console.vouchers().at(-1)!.code;
    const again = await order(siteId, 'ohne Code', headers);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(codesThere()).toContain(lost);
    expect(await reconcile()).toBe(0);
    expect(codesThere()).not.toContain(lost);
    expect((await recorded(siteId)).sort()).toEqual(codesThere());
  });

  test('a voucher with a code and without an id is 201, and recorded with a null id', async () => {
    console.fault({ kind: 'no-id' });
    const answer = await order(siteId, 'ohne Kennung');
    console.fault(undefined);
    expect(answer).toMatchObject({ status: 201, body: { code: console.vouchers().at(-1)!.code } });
    const rows = await api.database.read('vouchers').whereNull('controller_voucher_id');
    expect(rows.filter(({ site_id }: { site_id: number }) => site_id === siteId)).toHaveLength(1);
    expect(await reconcile()).toBe(0);
    expect((await recorded(siteId)).sort()).toEqual(codesThere());
  });

  test('a voucher that nobody can revoke keeps no other order waiting', async () => {
    console.fault({ kind: 'no-code', times: 1 });
    expect(await order(siteId, 'a')).toMatchObject(upstreamError);
    console.fault({ kind: 'reset-after', times: 1 });
    expect((await order(siteId, 'b')).status).toBe(500);
    const lost = console.vouchers().at(-1)!.code;
    console.fault({ kind: 'throttled', on: 'delete' });
    expect(await reconcile()).toBe(0);
    console.fault(undefined);
    expect(await recorded(siteId)).toContain(lost);
  });

  test('a note that the console gives back altered is no reason to lose the voucher', async () => {
    const alterations: readonly [name: string, typeof keepNote][] = [
      ['Familie  Berger', (note) => note.trim().replaceAll(/\s+/g, ' ')],
      ['Familie Berger, Zimmer 12', (note) => note.slice(0, 24)],
      ['Familie Bo\u0308hm', (note) => note.normalize('NFC')],
      ['Familie Berger', () => 'Gast'],
    ];
    for (const [name, alter] of alterations) {
      keepNote = alter;
      const answer = await order(siteId, name);
      const made = console.vouchers().at(-1);
      expect([name, answer]).toMatchObject([name, { status: 201, body: { code: made?.code } }]);
      expect(await recorded(siteId)).toContain(made?.code);
    }
    keepNote = whole;
  });

  test('a voucher whose answer was lost is found although the console altered its name', async () => {
    keepNote = (note) => note.slice(0, 24);
    console.fault({ kind: 'reset-after', times: 1 });
    expect((await order(siteId, 'Familie Berger, Zimmer 12')).status).toBe(500);
    expect(await reconcile()).toBe(0);
    expect(await recorded(siteId)).toContain(console.vouchers().at(-1)!.code);
    keepNote = whole;
  });
});
