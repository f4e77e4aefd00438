import { describe } from '@jest/globals';
import { controllerConformance, type Traits } from '../../conformance/controller.js';
import { mikrotikForConformance } from '../../support/mikrotikRouter.js';

const traits: Traits = {
  paging: 'not for mikrotik, RouterOS lists have no pages',
  bounds: [
    [{ expireMinutes: 35_000_001 }, ['expire_minutes', '35000001', '35000000']],
    [{ maxUses: 65_536 }, ['max_uses', '65536', '65535']],
    [{ down: 4_294_968 }, ['qos.down', '4294968', '4294967']],
    [{ up: 4_294_968 }, ['qos.up', '4294968', '4294967']],
  ],
  sites: true,
  incremental: 'not for mikrotik, RouterOS does not say what has changed',
  repeatable: true,
};

describe('MikroTik with users of the hotspot', () =>
  controllerConformance(() => mikrotikForConformance(), traits));

describe('MikroTik with User Manager', () =>
  controllerConformance(() => mikrotikForConformance({ userManager: 'on' }), traits));
