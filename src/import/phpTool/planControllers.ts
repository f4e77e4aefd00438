import { SettingsError } from '../../controllers/errors.js';
import { parseConnectionSettings } from '../../controllers/https/settings.js';
import { groupBy, partition } from '../../lib/collections.js';
import type { OpenStored } from './appKey.js';
import { listIds, toShownName, type Findings } from './findings.js';
import { takeFreeName } from './freeName.js';
import type { SourceSite } from './sourceModel.js';

/** A console with one account: rows of the tool with the same address, user and password. */
export interface PlannedController {
  readonly name: string;
  readonly address: string;
  readonly username: string;
  readonly password: string;
}

export interface PlannedSite extends Pick<SourceSite, 'id' | 'controllerSite' | 'active' | 'createdAt'> {
  readonly name: string;
  readonly controller: PlannedController;
}

interface PlannedSites {
  readonly controllers: readonly PlannedController[];
  readonly sites: readonly PlannedSite[];
  /** The id that each row of the tool has afterwards: its own, or that of the row it was merged into. */
  readonly siteIdsBySource: ReadonlyMap<number, number>;
}

interface OpenedSite extends SourceSite {
  readonly password: string;
}

/** Groups the rows by console and account. Their ids stay, because clients name them. */
export const planControllers = (
  rows: readonly SourceSite[],
  { open, mergeSites }: { readonly open: OpenStored; readonly mergeSites: boolean },
  findings: Findings,
): PlannedSites => {
  const opened = openPasswords(withUsableAddress(rows, findings), open, findings);
  const groups = [
    ...groupBy(opened, (site) => JSON.stringify([site.address, site.username, site.password])).values(),
  ];
  const hosts = groups.map(([first]) => hostOf(first));
  const names = new Set<string>();
  const controllers: PlannedController[] = [];
  const sites: PlannedSite[] = [];
  const siteIdsBySource = new Map<number, number>();
  groups.forEach((group, index) => {
    const [first] = group;
    if (!first) return;
    const { address, username, password } = first;
    const host = hosts[index] ?? '';
    const isAlone = hosts.filter((other) => other === host).length === 1;
    const controller = {
      name: takeFreeName(isAlone ? host : `${host} (${toShownName(username, '-')})`, names),
      address,
      username,
      password,
    };
    controllers.push(controller);
    for (const shared of groupBy(group, ({ controllerSite }) => controllerSite).values()) {
      // Of those that are one site, clients most likely use one that is active.
      const [kept] = [...shared].sort((a, b) => Number(b.active) - Number(a.active) || a.id - b.id);
      if (!kept) continue;
      reportShared(shared, kept, mergeSites, findings);
      for (const { id } of shared) siteIdsBySource.set(id, kept.id);
      const name = toShownName(kept.name, `Site ${String(kept.id)}`);
      sites.push({ ...pickSite(kept), name, controller });
    }
  });
  const shown = opened.filter(({ isPublic }) => isPublic);
  if (shown.length > 0)
    findings.notes.push(
      `these sites were open to people who are not signed in; set up a kiosk for that: ${listIds(shown)}`,
    );
  return { controllers, sites: sites.sort((a, b) => a.id - b.id), siteIdsBySource };
};

const pickSite = ({ id, controllerSite, active, createdAt }: SourceSite) => ({
  id,
  controllerSite,
  active,
  createdAt,
});

const reportShared = (
  shared: readonly SourceSite[],
  kept: SourceSite,
  mergeSites: boolean,
  { problems, notes }: Findings,
): void => {
  if (shared.length < 2) return;
  const others = shared.filter(({ id }) => id !== kept.id);
  if (mergeSites)
    notes.push(
      `site ${String(kept.id)} takes over the vouchers of ${listIds(others)}, which are the same site of the same controller: clients that use those ids must use ${String(kept.id)}`,
    );
  else
    problems.push(
      `sites ${listIds(shared)} are the same site of the same controller; delete all but one in the tool, or give --merge-sites to keep ${String(kept.id)} with the vouchers of all`,
    );
};

/** A site that nobody uses must not stop the import. */
const withUsableAddress = (rows: readonly SourceSite[], { problems, notes }: Findings): SourceSite[] => {
  const [usable, others] = partition(
    rows,
    ({ address, username, storedPassword }) => isAddress(address) && username !== '' && storedPassword !== '',
  );
  const [active, inactive] = partition(others, (site) => site.active);
  if (active.length > 0)
    problems.push(
      `these sites have no https address, user or password of a controller; complete them in the tool, or switch them off there: ${listIds(active)}`,
    );
  if (inactive.length > 0)
    notes.push(
      `inactive sites without an https address, user or password of a controller are not moved, nor their vouchers: ${listIds(inactive)}`,
    );
  return usable;
};

const isAddress = (address: string): boolean => {
  try {
    parseConnectionSettings({ url: address });
    return true;
  } catch (error) {
    if (error instanceof SettingsError) return false;
    throw error;
  }
};

const openPasswords = (
  sites: readonly SourceSite[],
  open: OpenStored,
  { problems }: Findings,
): OpenedSite[] => {
  const opened = sites.map((site) => ({ ...site, password: open(site.storedPassword) }));
  const unopened = opened.filter(({ password }) => password === undefined);
  if (unopened.length > 0)
    problems.push(
      `the passwords of these sites do not open with this APP_KEY; give the right one, or save the passwords again in the tool: ${listIds(unopened)}`,
    );
  return opened.flatMap((site) =>
    site.password === undefined ? [] : [{ ...site, password: site.password }],
  );
};

const hostOf = (site: SourceSite | undefined): string => (site ? new URL(site.address).host : '');
