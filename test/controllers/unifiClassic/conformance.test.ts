import { describe, test } from '@jest/globals';
import type { ConsoleVariant } from '../../../simulators/unifi/settings.js';
import { makeUnifiClassic } from '../../../src/controllers/unifiClassic/unifiClassic.js';
import { controllerConformance, testOneVoucher, type TestController } from '../../conformance/controller.js';
import { consoleForConformance } from '../../support/unifiConsole.js';

const connectTo = (variant: ConsoleVariant): Promise<TestController> =>
  consoleForConformance(
    ({ classic, surroundings }) => makeUnifiClassic({ ...classic, ...surroundings, deadlineMs: 30_000 }),
    { variant },
  );

describe('unifi-classic with a controller of UniFi OS', () =>
  controllerConformance(() => connectTo('unifi-os'), {
    paging: true,
    // It does not say which one.
    bounds: [[{ expireMinutes: 0 }, ['einen Wert', 'api.err.InvalidArgs']]],
    sites: true,
    incremental: 'not for unifi-classic, which tells all or nothing',
  }));

test('a voucher is made, listed and revoked on a controller that is self-hosted', async () =>
  testOneVoucher(await connectTo('self-hosted')));
