import { waitOrAbort } from '../deadline.js';
import { withKnownOutcome } from '../errors.js';
import type { Signal } from './store.js';

/** The profiles that are known to exist, one for each combination of limits. */
export interface ProfileCache {
  /** Makes a profile unless it is known. Orders that need the same one wait for the same calls. */
  ensure(name: string, make: () => Promise<void>, signal: Signal): Promise<void>;
  /** It was deleted on the router. */
  forget(name: string): void;
}

export const makeProfileCache = (controllerName: string): ProfileCache => {
  const known = new Map<string, Promise<void>>();
  return {
    ensure: (name, make, signal) => {
      let made = known.get(name);
      if (!made) {
        made = withKnownOutcome(make());
        known.set(name, made);
        made.catch(() => known.delete(name));
      }
      return waitOrAbort(made, controllerName, signal);
    },
    forget: (name) => known.delete(name),
  };
};
