import type { ControllerHealth, ControllerHealthSource } from './health.js';
import { controllerAddressOf, controllerTrustOf } from './https/settings.js';
import { parseControllerKind, type ControllerKindName } from './kinds.js';
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
  readonly trust: 'system' | 'pinned' | 'own-ca' | null;
  readonly fingerprint: string | null;
  readonly health: ControllerHealth;
  readonly sites: readonly SiteDetails[];
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
}

export const makeControllerList = ({ controllers, sites, health }: ControllerListDeps): ControllerList => {
  const describe = async (
    { id, name, kind, settings }: StoredController,
    all: readonly SiteDetails[],
  ): Promise<ListedController> => {
    const url = controllerAddressOf({ settings }) ?? null;
    const trust = controllerTrustOf({ settings });
    const { fingerprint } = settings;
    return {
      id,
      name,
      kind: parseControllerKind(kind),
      url,
      trust: url === null ? null : trust === 'own CA' ? 'own-ca' : trust,
      fingerprint: typeof fingerprint === 'string' ? fingerprint : null,
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
