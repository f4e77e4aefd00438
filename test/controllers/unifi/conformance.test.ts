import { describe, test } from '@jest/globals';
import { makeUnifi } from '../../../src/controllers/unifi/unifi.js';
import { controllerConformance, testOneVoucher, type Traits } from '../../conformance/controller.js';
import { consoleForConformance } from '../../support/unifiConsole.js';

const traits: Traits = {
  paging: true,
  bounds: [
    [{ expireMinutes: 1_000_001 }, ['expire_minutes', '1000001', '1000000']],
    [{ down: 1 }, ['qos.down', '1', '2 bis 100000']],
    [{ down: 100_001 }, ['qos.down', '100001', '100000']],
    [{ up: 1 }, ['qos.up', '1', '2 bis 100000']],
    [{ up: 2_147_483_647 }, ['qos.up', '2147483647', '100000']],
    [{ quotaMb: 1_048_577 }, ['qos.quota_mb', '1048577', '1048576']],
  ],
  sites: true,
  incremental: true,
};

describe('UniFi by the Integration API of a console', () =>
  controllerConformance(
    () => consoleForConformance(({ local, surroundings }) => makeUnifi({ ...local, ...surroundings })),
    traits,
  ));

test('a voucher is made, listed and revoked through the cloud connector', async () =>
  testOneVoucher(
    await consoleForConformance(({ cloud, surroundings }) => makeUnifi({ ...cloud, ...surroundings })),
  ));

test('a voucher is made, listed and revoked by the Network application on its own', async () => {
  const variant = 'self-hosted';
  await testOneVoucher(
    await consoleForConformance(({ local, surroundings }) => makeUnifi({ ...local, ...surroundings }), {
      variant,
    }),
  );
});
