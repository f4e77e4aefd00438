import { textOf } from '../connection/reading.js';
import { certainly, orLate } from '../connection/waiting.js';
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
  const kept = new Map<string | null, Promise<string>>();

  const all = async (): Promise<readonly Site[]> => {
    const sites: Site[] = [];
    const ask = async (offset: number) =>
      readPage(
        name,
        await certainly(api.ask({ method: 'GET', path: `/sites?offset=${offset}&limit=${pageSize}` })),
      );
    for await (const { id, internalReference, name: title } of readAll(ask)) {
      const reference = textOf(internalReference) ?? textOf(id) ?? '';
      sites.push({ id: textOf(id) ?? '', reference, name: textOf(title) ?? reference });
    }
    return sites;
  };

  const find = async (reference: string | null): Promise<string> => {
    const sites = await all();
    const [only] = sites;
    if (reference === null && only && sites.length === 1) return only.id;
    const found = sites.find((site) => site.reference === (reference ?? 'default'));
    if (found) return found.id;
    const known = sites.slice(0, 10).map((site) => site.reference);
    throw new ControllerError(
      'site',
      reference === null
        ? `Der Controller „${name}“ hat mehrere Standorte; bitte einen davon angeben: ${known.join(', ')}`
        : `Der Controller „${name}“ kennt den Standort „${reference}“ nicht; er hat: ${known.join(', ')}`,
    );
  };

  /** Everybody who needs it waits for the same look-up, and nobody's leaving ends it for the others. */
  const idOf = (reference: string | null): Promise<string> => {
    const known = kept.get(reference);
    if (known) return known;
    const looked = find(reference);
    kept.set(reference, looked);
    looked.catch(() => {
      if (kept.get(reference) === looked) kept.delete(reference);
    });
    return looked;
  };

  return {
    all,
    use: async (reference, work, signal) => {
      if (reference !== null && uuid.test(reference)) return work(reference);
      const looked = idOf(reference);
      const id = await orLate(looked, name, signal);
      try {
        return await work(id);
      } catch (error) {
        if (!isAboutSite(error)) throw error;
        if (kept.get(reference) === looked) kept.delete(reference);
      }
      const fresh = await orLate(idOf(reference), name, signal);
      try {
        return await work(fresh);
      } catch (error) {
        if (!isAboutSite(error) || fresh !== id) throw error;
        throw new ControllerError(
          'refused',
          `Der Controller „${name}“ kennt an diesem Standort keine Voucher; nötig ist UniFi Network ${neededVersion}`,
        );
      }
    },
  };
};

const isAboutSite = (error: unknown): boolean => error instanceof ControllerError && error.trouble === 'site';
