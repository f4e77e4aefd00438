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
   * Does something with the id of a site; null is the only one or `default`. The list of sites is kept. When the
   * controller no longer knows an id of it, nothing was done, and it is looked up and tried once more.
   */
  use<T>(
    reference: string | null,
    work: (id: string) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T>;
}

/** The id of a site, and the list that it comes from. */
interface LookedUp {
  readonly id: string;
  readonly from: Shared<readonly Site[]>;
}

const pageSize = 200;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const makeSites = (api: Api, name: string): Sites => {
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

  /** The list that look-ups go by. Everybody who needs one waits for the same, and it is kept. */
  let list: Shared<readonly Site[]> | undefined;
  const listed = (): Shared<readonly Site[]> => {
    if (list) return list;
    const asked: Shared<readonly Site[]> = share({ name, work: all, over: () => drop(asked) });
    return (list = asked);
  };
  const drop = (asked: Shared<readonly Site[]>): void => {
    if (list === asked) list = undefined;
  };

  const lookUp = async (reference: string | null, signal: AbortSignal | undefined): Promise<LookedUp> => {
    const kept = list;
    let from = listed();
    let sites = await from.join(signal);
    if (kept && idOf(sites, reference) === undefined) {
      // It may have been made since.
      drop(kept);
      from = listed();
      sites = await from.join(signal);
    }
    const id = idOf(sites, reference);
    if (id !== undefined) return { id, from };
    const known = sites.slice(0, 10).map((site) => site.reference);
    throw new ControllerError(
      name,
      reference === null
        ? { trouble: 'site', reason: 'several', known }
        : { trouble: 'site', reason: 'not-listed', site: reference, known },
    );
  };

  return {
    all,
    use: async (reference, work, signal) => {
      if (reference !== null && uuid.test(reference)) return work(reference);
      const { id, from } = await lookUp(reference, signal);
      try {
        return await work(id);
      } catch (error) {
        if (!isAboutSite(error)) throw error;
        drop(from);
      }
      const fresh = await lookUp(reference, signal);
      try {
        return await work(fresh.id);
      } catch (error) {
        if (!isAboutSite(error) || fresh.id !== id) throw error;
        throw new ControllerError(name, {
          trouble: 'refused',
          reason: 'no-vouchers',
          needed: neededVersion,
        });
      }
    },
  };
};

/** Null is the only one, or `default`. */
const idOf = (sites: readonly Site[], reference: string | null): string | undefined => {
  const [only] = sites;
  if (reference === null && only && sites.length === 1) return only.id;
  return sites.find((site) => site.reference === (reference ?? 'default'))?.id;
};

const isAboutSite = (error: unknown): boolean => error instanceof ControllerError && error.trouble === 'site';
