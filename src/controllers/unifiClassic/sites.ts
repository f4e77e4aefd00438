import { ControllerError, withKnownOutcome } from '../errors.js';
import { asFields, asText } from '../parsing.js';
import type { ClassicApi } from './classicApi.js';
import type { ClassicAnswer } from './answer.js';

interface ClassicSite {
  /** As it stands in paths. */
  readonly id: string;
  readonly name: string;
}

/** The sites of a controller, as far as the account may manage vouchers there. */
export interface ClassicSites {
  all(signal?: AbortSignal): Promise<readonly ClassicSite[]>;
  /** Uses a site by the name that it has in paths; null is `default`, or the only one that there is. */
  use<T>(
    controllerSite: string | null,
    ask: (site: string) => Promise<ClassicAnswer<T>>,
    signal?: AbortSignal,
  ): Promise<ClassicAnswer<T>>;
}

const managingRoles = ['admin', 'hotspot'];

export const makeClassicSites = (api: ClassicApi, name: string): ClassicSites => {
  let own = 'default';

  const all = async (signal?: AbortSignal): Promise<readonly ClassicSite[]> => {
    const rows = await withKnownOutcome(api.data({ method: 'GET', path: '/api/self/sites', signal }));
    const usable = rows
      .map(asFields)
      .filter(({ role, role_hotspot }) => mayManageVouchers(role, role_hotspot));
    if (usable.length === 0) throw new ControllerError(name, { trouble: 'permission', of: 'account' });
    return usable.map(({ name: id, desc }) => ({ id: asText(id) ?? '', name: asText(desc) ?? '' }));
  };

  const findOwn = async (signal?: AbortSignal): Promise<string> => {
    const ids = (await all(signal)).map(({ id }) => id);
    const [only] = ids;
    if (ids.includes('default')) return 'default';
    if (only !== undefined && ids.length === 1) return only;
    throw new ControllerError(name, { trouble: 'site', reason: 'several', known: ids.slice(0, 10) });
  };

  return {
    all,
    use: async (controllerSite, ask, signal) => {
      const verdict = await ask(encodeURIComponent(controllerSite ?? own));
      const unknown = verdict.kind === 'refused' && verdict.trouble === 'site';
      if (!unknown || controllerSite !== null) return verdict;
      // Looked up only now: nearly every controller has a `default`, and then it is never asked.
      own = await findOwn(signal);
      return ask(encodeURIComponent(own));
    },
  };
};

/** A controller that does not tell the role leaves it to the first order. */
const mayManageVouchers = (role: unknown, hotspot: unknown): boolean =>
  typeof role !== 'string' || managingRoles.includes(role) || hotspot === true;
