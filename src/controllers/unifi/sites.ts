import { waitOrAbort } from '../deadline.js';
import { ControllerError, withKnownOutcome } from '../errors.js';
import { asText } from '../parsing.js';
import { parsePage, readAllPages, requiredVersion, type IntegrationApi } from './integrationApi.js';

interface IntegrationSite {
  /** A UUID, used in paths. */
  readonly id: string;
  /** The site's name in URLs, such as `default`. */
  readonly reference: string;
  readonly name: string;
}

export interface IntegrationSites {
  all(): Promise<readonly IntegrationSite[]>;
  /**
   * Calls `work` with the id of a site; null is the only site or `default`. The list of sites is cached.
   * When the controller no longer knows an id, nothing was done, so the id is looked up and tried once more.
   */
  use<T>(
    reference: string | null,
    work: (id: string) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T>;
}

/** The id of a site, and the cached list it comes from. */
interface LookedUp {
  readonly id: string;
  readonly from: PendingCall<readonly IntegrationSite[]>;
}

const pageSize = 200;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const makeIntegrationSites = (api: IntegrationApi, name: string): IntegrationSites => {
  const all = async (signal?: AbortSignal): Promise<readonly IntegrationSite[]> => {
    const sites: IntegrationSite[] = [];
    const ask = async (offset: number) => {
      const path = `/sites?offset=${offset}&limit=${pageSize}`;
      return parsePage(name, await withKnownOutcome(api.ask({ method: 'GET', path, signal })));
    };
    for await (const { id, internalReference, name: title } of readAllPages(name, ask)) {
      const reference = asText(internalReference) ?? asText(id) ?? '';
      sites.push({ id: asText(id) ?? '', reference, name: asText(title) ?? reference });
    }
    return sites;
  };

  /** The cached list of sites; concurrent look-ups share one pending call. */
  let list: PendingCall<readonly IntegrationSite[]> | undefined;
  const listed = (): PendingCall<readonly IntegrationSite[]> => {
    if (list) return list;
    const asked: PendingCall<readonly IntegrationSite[]> = sharePendingCall({
      name,
      work: all,
      onDropped: () => drop(asked),
    });
    return (list = asked);
  };
  const drop = (asked: PendingCall<readonly IntegrationSite[]>): void => {
    if (list === asked) list = undefined;
  };

  const lookUp = async (reference: string | null, signal: AbortSignal | undefined): Promise<LookedUp> => {
    const cached = list;
    let from = listed();
    let sites = await from.wait(signal);
    if (cached && findSiteId(sites, reference) === undefined) {
      // The site may be new.
      drop(cached);
      from = listed();
      sites = await from.wait(signal);
    }
    const id = findSiteId(sites, reference);
    if (id !== undefined) return { id, from };
    const known = sites.slice(0, 10).map((site) => site.reference);
    throw new ControllerError(
      name,
      reference === null
        ? { kind: 'site', reason: 'several', known }
        : { kind: 'site', reason: 'not-listed', site: reference, known },
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
          kind: 'refused',
          reason: 'no-vouchers',
          needed: requiredVersion,
        });
      }
    },
  };
};

/** Null is the only site, or `default`. */
const findSiteId = (sites: readonly IntegrationSite[], reference: string | null): string | undefined => {
  const [only] = sites;
  if (reference === null && only && sites.length === 1) return only.id;
  return sites.find((site) => site.reference === (reference ?? 'default'))?.id;
};

const isAboutSite = (error: unknown): boolean => error instanceof ControllerError && error.code === 'site';

/** A call that several callers wait for. */
interface PendingCall<T> {
  /** An abort ends only the caller's wait. The call itself is aborted when nobody waits any more. */
  wait(signal: AbortSignal | undefined): Promise<T>;
}

interface PendingCallOptions<T> {
  readonly name: string;
  work(signal: AbortSignal): Promise<T>;
  /** Called when it failed or was aborted: nobody may wait for it any more. */
  onDropped(): void;
}

const sharePendingCall = <T>({ name, work, onDropped }: PendingCallOptions<T>): PendingCall<T> => {
  const abort = new AbortController();
  const working = work(abort.signal);
  working.catch(onDropped);
  let isDone = false;
  let waiting = 0;
  return {
    wait: async (signal) => {
      waiting += 1;
      try {
        const result = await waitOrAbort(working, name, signal);
        isDone = true;
        return result;
      } finally {
        waiting -= 1;
        if (waiting === 0 && !isDone) {
          onDropped();
          abort.abort();
        }
      }
    },
  };
};
