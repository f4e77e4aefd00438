import { draftAudit, type Actor } from '../audit/audit.js';
import type { ControllerTable } from '../controllers/controllerTable.js';
import { compareNames } from '../lib/collections.js';
import type { Clock } from '../lib/system.js';
import type { ProfileTable } from '../profiles/profileTable.js';
import type { SiteTable } from '../sites/siteTable.js';
import type { StoredUser, UserTable } from '../users/userTable.js';
import type { FirstStepTable } from './firstStepTable.js';

/** What a new service needs before guests get vouchers. */
export interface FirstStep {
  readonly step: 'controller' | 'site' | 'wifi' | 'profile' | 'user' | 'voucher';
  readonly isDone: boolean;
  /** The controller that sites can be added to, or the site whose Wi-Fi has no name yet. */
  readonly id: number | null;
}

export interface FirstStepList {
  /** Hidden by an administrator, for all of them. */
  readonly isHidden: boolean;
  /** In the order in which they are taken. */
  readonly steps: readonly FirstStep[];
}

export interface FirstSteps {
  list(): Promise<FirstStepList>;
  /** Hides them from all administrators, or shows them again. */
  setHidden(isHidden: boolean, actor: Actor): Promise<void>;
}

interface FirstStepsDeps {
  readonly tables: {
    readonly controllers: Pick<ControllerTable, 'all'>;
    readonly sites: Pick<SiteTable, 'details'>;
    readonly profiles: Pick<ProfileTable, 'all'>;
    readonly users: Pick<UserTable, 'all' | 'sites'>;
    readonly firstSteps: FirstStepTable;
  };
  readonly clock: Clock;
}

export const makeFirstSteps = ({ tables, clock }: FirstStepsDeps): FirstSteps => ({
  list: async () => {
    const [controllers, allSites, profiles, users, sitesOfUsers, hasVoucher, isHidden] = await Promise.all([
      tables.controllers.all(),
      tables.sites.details(),
      tables.profiles.all(),
      tables.users.all(),
      tables.users.sites(),
      tables.firstSteps.hasVoucher(),
      tables.firstSteps.isHidden(),
    ]);
    const sites = allSites.filter(({ active }) => active).sort(compareNames);
    const worksAtDesk = ({ id, role, disabledAt }: StoredUser): boolean =>
      role === 'staff' && disabledAt === null && (sitesOfUsers.get(id) ?? []).length > 0;
    const step = (name: FirstStep['step'], isDone: boolean, id: number | null = null): FirstStep => ({
      step: name,
      isDone,
      id: isDone ? null : id,
    });
    return {
      isHidden,
      steps: [
        step('controller', controllers.length > 0),
        step('site', sites.length > 0, controllers.toSorted(compareNames)[0]?.id),
        step(
          'wifi',
          sites.some(({ ssid }) => ssid !== null),
          sites[0]?.id,
        ),
        step('profile', profiles.length > 0),
        step('user', users.some(worksAtDesk)),
        step('voucher', hasVoucher),
      ],
    };
  },
  setHidden: (isHidden, actor) =>
    tables.firstSteps.setHidden(
      isHidden,
      draftAudit(actor, isHidden ? 'first-steps.hide' : 'first-steps.show', clock.now()),
    ),
});
