import { beforeAll, describe, expect, test } from '@jest/globals';
import { consoleAdapters } from '../soak/faults/scenarios.js';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { FaultKind } from '../../simulators/unifi/faults.js';
import { defaultMaxCalls } from '../../src/controllers/https/settings.js';
import { openSecrets } from '../../src/secrets/secretKey.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { withApi } from '../support/api.js';
import { plantSecrets } from '../support/secretLeaks.js';
import type { Answer } from '../support/service.js';

const callsPerVoucher: Readonly<Record<string, number>> = { unifi: 1, 'unifi-classic': 2 };

describe.each(consoleAdapters.map((adapter) => [adapter.title, adapter] as const))(
  'the service beside a console: %s',
  (_title, { kind, variant, url, credentials }) => {
    let console: UnifiConsole;
    // Stopping looks for what was planted in every log line and every answer; a console that stays would keep jest.
    const api = withApi({
      env: { CONTROLLER_DEADLINE_S: '600' },
      site: false,
      beforeStop: () => console.stop(),
    });
    let siteId: number;

    beforeAll(async () => {
      console = await startUnifiConsole({
        variant,
        sites: [
          { reference: 'default', name: 'Default' },
          { reference: 'annex', name: 'Nebengebäude' },
        ],
      });
      plantSecrets([console.apiKey, console.cloudApiKey, console.password]);
      plantSecrets(() => console.tokens);
      const secrets = openSecrets({ secretKey: undefined, dataDir: api.dataDir });
      const { tables } = api;
      const settings = { url: url(console), fingerprint: console.fingerprint };
      const sealedCredentials = sealCredentials(secrets, { kind, settings }, credentials(console));
      const controllerId = await tables.controllers.add(
        { name: 'Konsole', kind, settings, sealedCredentials },
        Date.now(),
      );
      siteId = await tables.sites.add(
        { name: 'Hauptgebäude', active: true, controllerId, controllerSite: 'default' },
        Date.now(),
      );
    });

    const order = (name: string, values: object = {}): Promise<Answer> =>
      api.createVoucher({ site_id: siteId, name, ...values });
    const codeOf = ({ body }: Answer): string => (body as { code: string }).code;

    test('20 creations on a warm connection cost as few calls as the API allows, one login and one pool', async () => {
      await order('warm');
      const { logins } = console.counts;
      console.resetCounts();
      for (let batch = 0; batch < 2; batch++) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) => order(`Gast ${batch}-${index}`)),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
      }
      const { calls, handshakes, mostOpen, logins: more } = console.counts;
      expect(calls / 20).toBe(callsPerVoucher[kind]);
      expect(handshakes).toBeLessThanOrEqual(defaultMaxCalls);
      expect(mostOpen).toBeLessThanOrEqual(defaultMaxCalls);
      expect(logins + more).toBe(kind === 'unifi' ? 0 : 1);
    });

    test('20 orders at once with one and the same name get 20 codes, all recorded, all on the controller', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => order('Tagung')));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
      const codes = answers.map(codeOf).sort();
      expect(new Set(codes).size).toBe(20);
      const onConsole = console.vouchers('default').filter(({ name }) => name.endsWith('_Tagung'));
      expect(onConsole.map(({ code }) => code).sort()).toEqual(codes);
      const { body } = await api.listVouchers(siteId);
      const listed = (body as { vouchers: { voucher_code: string; voucher_name: string }[] }).vouchers
        .filter(({ voucher_name: name }) => name.endsWith('_Tagung'))
        .map(({ voucher_code: code }) => code);
      expect(listed.sort()).toEqual(codes);
      expect(await api.tables.intents.all()).toEqual([]);
    });

    test('orders at once with one name and different limits get vouchers with their own limits', async () => {
      const limits = Array.from({ length: 12 }, (_, index) => ({
        max_uses: 1 + (index % 5),
        expire_minutes: 60 * (1 + (index % 4)),
        qos: { down: 1000 * (1 + (index % 3)), up: 0, quota_mb: 0 },
      }));
      const answers = await Promise.all(limits.map((values) => order('Verschieden', values)));
      for (const [index, answer] of answers.entries()) {
        const made = console.vouchers().find(({ code }) => code === codeOf(answer));
        const { max_uses: limit, expire_minutes: minutes, qos } = limits[index]!;
        expect(made).toMatchObject({ limit, minutes, down: qos.down, up: 0, quotaMb: 0 });
      }
    });

    test('nothing planted is in any log line or answer, whatever goes wrong', async () => {
      const faults: FaultKind[] = [
        'reset-before',
        'reset-after',
        'bad-gateway',
        'truncated',
        'wrong-json',
        'throttled',
      ];
      for (const fault of faults) {
        console.fault({ kind: fault, on: 'all', times: 2 });
        expect([201, 500, 502]).toContain((await order(fault)).status);
        console.fault(undefined);
      }
      console.endSessions();
      expect((await order('danach')).status).toBe(201);
      expect(api.lines.length).toBeGreaterThan(0);
    });
  },
);
