import { textOf } from '../connection/reading.js';
import { share, type Shared } from '../connection/shared.js';
import { certainly } from '../connection/waiting.js';
import { ControllerError } from '../controller.js';
import type { Api } from './api.js';
import { readAll, readPage } from './paging.js';
import { neededVersion } from './refusal.js';

interface Site {
  /** A UUID, which paths want. */
  readonly id: string;
  /** What the site is called in addresses, such as `default`. */
  readonly reference: string;
  readonly name: string;
}

export interface Sites {
  all(): Promise<readonly Site[]>;
  /**
   * Does something with the id of a site; null is the only one or `default`. The id is kept. When the controller no
   * longer knows it, nothing was done, and it is looked up and tried once more.
   */
  use<T>(
    reference: string | null,
    work: (id: string) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T>;
}

const pageSize = 200;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const makeSites = (api: Api, name: string): Sites => {
  const kept = new Map<string | null, Shared<string>>();

  const all = async (signal?: AbortSignal): Promise<readonly Site[]> => {
    const sites: Site[] = [];
    const ask = async (offset: number) => {
      const path = `/sites?offset=${offset}&limit=${pageSize}`;
      return readPage(name, await certainly(api.ask({ method: 'GET', path, signal })));
    };
    for await (const { id, internalReference, name: title } of readAll(name, ask)) {
      const reference = textOf(internalReference) ?? textOf(id) ?? '';
      sites.push({ id: textOf(id) ?? '', reference, name: textOf(title) ?? reference });
    }
    return sites;
  };

  const find = async (reference: string | null, signal: AbortSignal): Promise<string> => {
    const sites = await all(signal);
    const [only] = sites;
    if (reference === null && only && sites.length === 1) return only.id;
    const found = sites.find((site) => site.reference === (reference ?? 'default'));
    if (found) return found.id;
    const known = sites.slice(0, 10).map((site) => site.reference);
    throw new ControllerError(
      name,
      reference === null
        ? { trouble: 'site', reason: 'several', known }
        : { trouble: 'site', reason: 'not-listed', site: reference, known },
    );
  };

  /** Everybody who needs it waits for the same look-up. */
  const lookUp = (reference: string | null): Shared<string> => {
    const known = kept.get(reference);
    if (known) return known;
    const looked = share({
      name,
      work: (signal) => find(reference, signal),
      over: () => drop(reference, looked),
    });
    kept.set(reference, looked);
    return looked;
  };
  const drop = (reference: string | null, looked: Shared<string>): void => {
    if (kept.get(reference) === looked) kept.delete(reference);
  };

  return {
    all,
    use: async (reference, work, signal) => {
      if (reference !== null && uuid.test(reference)) return work(reference);
      const looked = lookUp(reference);
      const id = await looked.join(signal);
      try {
        return await work(id);
      } catch (error) {
        if (!isAboutSite(error)) throw error;
        drop(reference, looked);
      }
      const fresh = await lookUp(reference).join(signal);
      try {
        return await work(fresh);
      } catch (error) {
        if (!isAboutSite(error) || fresh !== id) throw error;
        throw new ControllerError(name, {
          trouble: 'refused',
          reason: 'no-vouchers',
          needed: neededVersion,
        });
      }
    },
  };
};

const isAboutSite = (error: unknown): boolean => error instanceof ControllerError && error.trouble === 'site';
