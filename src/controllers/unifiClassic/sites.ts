import { ControllerError, withKnownOutcome } from '../errors.js';
import { asFields, asText } from '../parsing.js';
import type { ClassicAnswer } from './answer.js';
import type { ClassicApi } from './classicApi.js';

interface ClassicSite {
  /** The name in paths. */
  readonly id: string;
  readonly name: string;
}

/** The sites of a controller where the account may manage vouchers. */
export interface ClassicSites {
  all(signal?: AbortSignal): Promise<readonly ClassicSite[]>;
  /** Calls `ask` with a site's name in paths; null is `default` or the only site. */
  use<T>(
    controllerSite: string | null,
    ask: (site: string) => Promise<ClassicAnswer<T>>,
    signal?: AbortSignal,
  ): Promise<ClassicAnswer<T>>;
}

const managingRoles = ['admin', 'hotspot'];

export const makeClassicSites = (api: ClassicApi, name: string): ClassicSites => {
  let defaultSite = 'default';

  const all = async (signal?: AbortSignal): Promise<readonly ClassicSite[]> => {
    const rows = await withKnownOutcome(api.data({ method: 'GET', path: '/api/self/sites', signal }));
    const usable = rows
      .map(asFields)
      .filter(({ role, role_hotspot }) => mayManageVouchers(role, role_hotspot));
    if (usable.length === 0) throw new ControllerError(name, { kind: 'permission', of: 'account' });
    return usable.map(({ name: id, desc }) => ({ id: asText(id) ?? '', name: asText(desc) ?? '' }));
  };

  const findDefaultSite = async (signal?: AbortSignal): Promise<string> => {
    const ids = (await all(signal)).map(({ id }) => id);
    const [only] = ids;
    if (ids.includes('default')) return 'default';
    if (only !== undefined && ids.length === 1) return only;
    throw new ControllerError(name, { kind: 'site', reason: 'several', known: ids.slice(0, 10) });
  };

  return {
    all,
    use: async (controllerSite, ask, signal) => {
      const answer = await ask(encodeURIComponent(controllerSite ?? defaultSite));
      const unknown = answer.kind === 'refused' && answer.failure === 'site';
      if (!unknown || controllerSite !== null) return answer;
      // Looked up only now: nearly every controller has `default`, so this is rarely needed.
      defaultSite = await findDefaultSite(signal);
      return ask(encodeURIComponent(defaultSite));
    },
  };
};

/** If the controller does not say the role, the first order will show it. */
const mayManageVouchers = (role: unknown, hotspot: unknown): boolean =>
  typeof role !== 'string' || managingRoles.includes(role) || hotspot === true;
