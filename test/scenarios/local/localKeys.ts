import { type Key, type Keys, scopePermits } from '../../../tools/contract/src/target/keys.js';
import type {
  CredentialOptions,
  CredentialSource,
} from '../../../tools/contract/src/target/credentialSource.js';

/** High enough never to be reached, but with it rate limit headers are sent. */
const generous = 1_000_000;
/** Low enough to be used up at once. */
const few = 3;

/** Makes a key in a service. */
export type AddKey = (options: CredentialOptions) => Promise<Key>;

/** What not every service of a run can do. */
interface OtherKeys {
  /** Makes keys that are found by the same thing. */
  readonly addAlike?: ((options: CredentialOptions) => Promise<readonly Key[]>) | undefined;
  readonly revoke?: ((key: Key) => Promise<void>) | undefined;
}

export interface LocalKeys extends Keys {
  /** One that may do everything, in another service of the run. */
  addTo(add: AddKey): Promise<Key>;
}

/** Keys of every scope and every kind, in a service of the run. */
export const makeLocalKeys = async (
  scopes: readonly string[],
  { haveLimits = false }: Pick<CredentialSource, 'haveLimits'>,
  add: AddKey,
  { addAlike, revoke }: OtherKeys = {},
): Promise<LocalKeys> => {
  const made: Key[] = [];
  const replaced = new Set<Key>();
  const addKey = async (options: CredentialOptions, addIn = add): Promise<Key> => {
    const key = await addIn({ ...options, limit: haveLimits ? options.limit : 0 });
    made.push(key);
    return key;
  };
  const ownKeys: RenewableKey[] = [];
  const addRenewable = async (scope: string, limit: number): Promise<Key> => {
    const own = await makeRenewable(
      () => addKey({ scope, limit }),
      (ended) => replaced.add(ended),
    );
    ownKeys.push(own);
    return own.key;
  };
  const [weakest = '', strongest = weakest] = [scopes[0], scopes.at(-1)];
  const byScope: Key[] = [];
  for (const scope of scopes) byScope.push(await addRenewable(scope, generous));
  const unlimited = await addRenewable(strongest, 0);
  const revoked = await addKey({ scope: strongest, limit: 0, revoked: true });
  const expired = await addKey({ scope: strongest, limit: 0, expired: true });
  const alike = (await addAlike?.({ scope: strongest, limit: 0 })) ?? [];
  made.push(...alike);
  const permits = (key: Key, scope: string | undefined): boolean => scopePermits(scopes, key.scope, scope);
  return {
    addTo: (other) => addKey({ scope: strongest, limit: generous }, other),
    permitting: (scope) =>
      byScope.find((key) => permits(key, scope)) ?? {
        excuse: `needs a key with the scope ${scope ?? ''}, which the run does not have`,
      },
    lacking: (scope) =>
      byScope.findLast((key) => !permits(key, scope)) ?? {
        excuse: `every key may do what needs the scope ${scope ?? 'none'}`,
      },
    unlimited: () => unlimited,
    limited: () => {
      if (!haveLimits) return { excuse: 'nothing that lets in has a limit here' };
      // Of the lowest scope, so that a scope that is checked before the limit is seen.
      const any = (): Promise<Key> => addKey({ scope: weakest, limit: few });
      return { any, open: async () => ({ key: await any(), left: few }), most: few, same: false };
    },
    alike: () => alike,
    ...(revoke && {
      revocable: async () => {
        const key = await addKey({ scope: strongest, limit: 0 });
        return { key, revoke: () => revoke(key) };
      },
    }),
    revoked: () => revoked,
    expired: () => expired,
    all: () => made,
    // Every answer is searched for them.
    current: () => made.filter((key) => !replaced.has(key)),
    renew: async (isLetIn) => {
      for (const own of ownKeys) if (!(await isLetIn(own.key))) await own.renew();
    },
  };
};

/** A key whose text may become that of another: scenarios hold on to it. */
interface RenewableKey {
  readonly key: Key;
  renew(): Promise<void>;
}

const makeRenewable = async (
  make: () => Promise<Key>,
  onReplaced: (ended: Key) => void,
): Promise<RenewableKey> => {
  let current = await make();
  return {
    key: { ...current, text: () => current.text() },
    renew: async () => {
      onReplaced(current);
      current = await make();
    },
  };
};
