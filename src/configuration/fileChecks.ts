import { CodedError } from '../errors/codedError.js';
import type { Secrets } from '../secrets/encryption.js';
import { toUserKey } from '../users/names.js';
import type { FileSites, ReadConfiguration } from './configurationFile.js';
import type { FieldPath } from './strictYaml.js';

export type FileChecks = ReturnType<typeof makeFileChecks>;

/** What any part of a file is checked for. All refuse with the line. */
export const makeFileChecks = (
  { configuration, refuse }: ReadConfiguration,
  secrets: Pick<Secrets, 'open'> | undefined,
) => {
  const siteIds = new Set(configuration.sites.map(({ id }) => id));
  const known = { profile: configuration.profiles, printer: configuration.printers };

  /** What the check of an entered value refuses is refused with the line. */
  const check = <T>(path: FieldPath, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return refuse(path, error.message);
    }
  };

  return {
    refuse,
    check,
    assertUnique: (part: string, keys: readonly string[], what: string): void => {
      const seen = new Set<string>();
      for (const [index, key] of keys.entries()) {
        if (seen.has(key)) refuse([part, index], `${what} is there twice`);
        seen.add(key);
      }
    },
    assertSites: (path: FieldPath, ids: FileSites): void => {
      const missing = ids === 'all' ? undefined : ids.find((id) => !siteIds.has(id));
      if (missing !== undefined) refuse(path, `there is no site ${String(missing)} in the file`);
    },
    /** Is there a profile or a printer of this name, and is it for the site? */
    assertForSite: (path: FieldPath, kind: 'profile' | 'printer', name: string, siteId: number): void => {
      const found = known[kind].find((one) => toUserKey(one.name) === toUserKey(name));
      if (!found) refuse(path, `there is no ${kind} "${name}" in the file`);
      else if (found.sites !== 'all' && !found.sites.includes(siteId))
        refuse(path, `the ${kind} "${found.name}" is not for site ${String(siteId)}`);
    },
    /** Opens a sealed value; undefined when the file does not have it, or when there is no key. */
    open: (path: FieldPath, sealed: string | null, binding: string): string | undefined => {
      if (sealed === null || !secrets) return undefined;
      return check(path, () => {
        try {
          return secrets.open(sealed, binding);
        } catch {
          return refuse(path, 'it was sealed for another name or address, or was changed');
        }
      });
    },
  };
};
