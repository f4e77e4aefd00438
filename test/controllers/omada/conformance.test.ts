import { describe } from '@jest/globals';
import { controllerConformance, type Traits } from '../../conformance/controller.js';
import { omadaForConformance } from '../../support/omadaController.js';

const traits: Traits = {
  paging: true,
  bounds: [
    [{ expireMinutes: 14_400_001 }, ['expire_minutes', '14400001', '14400000']],
    [{ maxUses: 1000 }, ['max_uses', '1000', '999']],
    [{ down: 10_485_761 }, ['qos.down', '10485761', '10485760']],
    [{ up: 10_485_761 }, ['qos.up', '10485761', '10485760']],
    [{ quotaMb: 10_485_761 }, ['qos.quota_mb', '10485761', '10485760']],
  ],
  sites: true,
  incremental: true,
  repeatable: true,
};

describe('Omada by its Open API', () => controllerConformance(() => omadaForConformance(), traits));
