import { describe } from '@jest/globals';
import { makeUnifiClassic } from '../../../src/controllers/unifiClassic/unifiClassic.js';
import { controllerConformance } from '../../conformance/controller.js';
import { consoleForConformance } from '../../support/unifiConsole.js';
import { variants } from './testConsoles.js';

describe.each(variants)('unifi-classic with a controller that is %s', (variant) =>
  controllerConformance(
    () =>
      consoleForConformance(
        ({ classic, surroundings }) => makeUnifiClassic({ ...classic, ...surroundings, deadlineMs: 30_000 }),
        { variant },
      ),
    {
      paging: true,
      // It does not say which one.
      bounds: [[{ expireMinutes: 0 }, ['einen Wert', 'api.err.InvalidArgs']]],
      sites: true,
      incremental: 'not for unifi-classic, which tells all or nothing',
    },
  ),
);
