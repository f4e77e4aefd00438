import type { components, operations } from '../../generated/web.js';
import type { ApiKeys } from '../../src/access/keys.js';
import type { KeyUsageCounter } from '../../src/access/keyUsage.js';
import type { OperationHandler, OperationHandlers } from '../../src/contract/types.js';
import type { LiveEvents } from '../../src/people/liveEvents.js';
import type { WebhookAdministration } from '../../src/notifications/webhookAdministration.js';
import type { People } from '../../src/people/people.js';
import type { ControllerAdministration } from '../../src/sites/controllerAdministration.js';
import type { ControllerList } from '../../src/sites/controllerList.js';
import type { ControllerTests } from '../../src/sites/controllerTests.js';
import type { WebUser } from '../../src/people/webAccess.js';
import type { Sites } from '../../src/sites/sites.js';
import type { GetOverview } from '../../src/status/overview.js';
import type { GetSystemStatus } from '../../src/status/systemStatus.js';
import type { Profiles } from '../../src/vouchers/profiles.js';

/** What handlers of the pages may use. Each names what it needs. */
export interface WebServices {
  readonly people: People;
  readonly liveEvents: LiveEvents;
  readonly keys: ApiKeys;
  readonly keyUsage: KeyUsageCounter;
  readonly sites: Sites;
  readonly profiles: Profiles;
  readonly controllers: ControllerAdministration & ControllerList;
  readonly controllerTests: ControllerTests;
  readonly webhooks: WebhookAdministration;
  readonly getOverview: GetOverview;
  readonly getSystemStatus: GetSystemStatus;
  readonly service: { readonly version: string; readonly isDemo: boolean };
}

export type WebHandler<K extends keyof operations> = OperationHandler<operations[K], WebUser, WebServices>;
export type WebHandlers = OperationHandlers<operations, WebUser, WebServices>;

/** What the contract of the pages calls by this name. */
export type WebSchema<Name extends keyof components['schemas']> = components['schemas'][Name];
