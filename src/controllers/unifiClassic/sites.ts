import { fieldsOf, textOf } from '../connection/reading.js';
import { certainly } from '../connection/waiting.js';
import { ControllerError } from '../controller.js';
import type { Api } from './api.js';
import type { Verdict } from './verdict.js';

export interface NamedSite {
  /** As it stands in paths. */
  readonly id: string;
  readonly name: string;
}

/** The sites of a controller, as far as the account may manage vouchers there. */
export interface Sites {
  all(signal?: AbortSignal): Promise<readonly NamedSite[]>;
  /** Uses a site by the name that it has in paths; null is `default`, or the only one that there is. */
  use<T>(
    controllerSite: string | null,
    ask: (site: string) => Promise<Verdict<T>>,
    signal?: AbortSignal,
  ): Promise<Verdict<T>>;
}

const roles = ['admin', 'hotspot'];

export const makeSites = (api: Api, name: string): Sites => {
  let own = 'default';

  const all = async (signal?: AbortSignal): Promise<readonly NamedSite[]> => {
    const rows = await certainly(api.data({ method: 'GET', path: '/api/self/sites', signal }));
    const usable = rows.map(fieldsOf).filter(({ role, role_hotspot }) => mayManage(role, role_hotspot));
    if (usable.length === 0) throw new ControllerError(name, { trouble: 'permission', of: 'account' });
    return usable.map(({ name: id, desc }) => ({ id: textOf(id) ?? '', name: textOf(desc) ?? '' }));
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
const mayManage = (role: unknown, hotspot: unknown): boolean =>
  typeof role !== 'string' || roles.includes(role) || hotspot === true;
