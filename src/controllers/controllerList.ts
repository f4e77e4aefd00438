import type { ControllerHealth, ControllerHealthSource } from './health.js';
import { controllerAddressOf } from './https/settings.js';
import { controllerTrustOf } from './kinds.js';
import { parseControllerKind, type ControllerKindName } from './kinds.js';
import type { KeptLimits } from './keptLimits.js';
import { controllerOptionsOf, type ControllerOptions } from './controllerOptions.js';
import { compareNames } from '../lib/collections.js';
import type { ControllerTable, StoredController } from './controllerTable.js';
import type { SiteDetails, SiteTable } from '../sites/siteTable.js';
import { unknownController } from './controllerRefusals.js';

/** A controller as administrators see it: without credentials. */
export interface ListedController {
  readonly id: number;
  readonly name: string;
  readonly kind: ControllerKindName;
  readonly url: string | null;
  /** `none`: the connection is not encrypted. */
  readonly trust: 'none' | 'system' | 'pinned' | 'own-ca' | null;
  readonly fingerprint: string | null;
  readonly options: ControllerOptions;
  /** What time and uses count; null where the controller takes whatever the service takes. */
  readonly counts: CountedLimits | null;
  readonly health: ControllerHealth;
  readonly sites: readonly SiteDetails[];
}

/** What time and uses of a voucher count on a controller. */
export interface CountedLimits {
  readonly time: KeptLimits['time']['counts'];
  readonly uses: NonNullable<KeptLimits['uses']>['counts'] | null;
}

export interface ControllerList {
  /** All controllers, sorted by name. */
  list(): Promise<ListedController[]>;
  /** Throws `Refusal` when it does not exist. */
  show(id: number): Promise<ListedController>;
}

interface ControllerListDeps {
  readonly controllers: ControllerTable;
  readonly sites: SiteTable;
  readonly health: ControllerHealthSource;
  keptLimitsOf(stored: StoredController): KeptLimits | undefined;
}

export const makeControllerList = ({
  controllers,
  sites,
  health,
  keptLimitsOf,
}: ControllerListDeps): ControllerList => {
  const describe = async (
    stored: StoredController,
    all: readonly SiteDetails[],
  ): Promise<ListedController> => {
    const { id, name, kind, settings } = stored;
    const kept = keptLimitsOf(stored);
    const url = controllerAddressOf({ settings }) ?? null;
    const trust = controllerTrustOf({ kind, settings });
    const { fingerprint } = settings;
    return {
      id,
      name,
      kind: parseControllerKind(kind),
      url,
      trust: url === null ? null : trust === 'own CA' ? 'own-ca' : trust,
      fingerprint: typeof fingerprint === 'string' ? fingerprint : null,
      options: controllerOptionsOf({ kind, settings }),
      counts: kept ? { time: kept.time.counts, uses: kept.uses?.counts ?? null } : null,
      health: await health.healthOf(id),
      sites: all.filter(({ controllerId }) => controllerId === id).sort(compareNames),
    };
  };

  const list = async (): Promise<ListedController[]> => {
    const [stored, all] = await Promise.all([controllers.all(), sites.details()]);
    const listed = await Promise.all(stored.map((controller) => describe(controller, all)));
    return listed.sort(compareNames);
  };

  return {
    list,
    show: async (id) => {
      const found = (await list()).find((listed) => listed.id === id);
      if (!found) throw unknownController();
      return found;
    },
  };
};
