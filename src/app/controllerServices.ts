import type { WebServices } from '../../handlers/web/handler.js';
import { makeControllerAdministration } from '../controllers/controllerAdministration.js';
import { makeControllerList } from '../controllers/controllerList.js';
import { makeControllerTests } from '../controllers/controllerTests.js';
import { makeKeptLimitsOf } from '../controllers/siteLimits.js';
import { makePassedTests } from '../controllers/passedTests.js';
import type { Foundation } from './foundation.js';
import type { VoucherServices } from './voucherServices.js';

/** Puts together the administration of controllers. */
export const makeControllerServices = (
  deps: Foundation & VoucherServices,
): Pick<WebServices, 'controllers' | 'controllerTests'> => {
  const { tables, system, secrets, rotationSafeWriter, controllerDeps, controllers: registry } = deps;
  const stored = { controllers: tables.controllers, sites: tables.sites };
  const passedTests = makePassedTests(registry);
  return {
    controllers: {
      ...makeControllerAdministration({
        ...stored,
        clock: system,
        rotationSafeWriter,
        secrets,
        mayMoveCredentials: false,
        deadlineMs: controllerDeps.deadlineMs,
        passedTests,
      }),
      ...makeControllerList({
        ...stored,
        health: deps.controllerHealth,
        keptLimitsOf: makeKeptLimitsOf(registry),
      }),
    },
    controllerTests: makeControllerTests({ ...stored, deps: controllerDeps, passedTests }),
  };
};
