import { hash } from 'node:crypto';
import { Problem, Refusal } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import { toUploadedPicture } from '../sites/logo.js';
import type { KioskTable, StoredKiosk } from './kioskTable.js';
import { makeCheckKiosk, summarizeKiosk, type KioskInput } from './kioskInput.js';

export type { KioskInput };

/** A kiosk as administrators see it. */
export interface Kiosk extends Omit<StoredKiosk, 'tokenHash'> {
  readonly siteName: string;
  /** Of its profile, and of all that guests choose among. */
  readonly profileName: string;
  readonly profileNames: readonly string[];
  readonly hasBackground: boolean;
}

/** A kiosk and the token of its link, which is not stored. */
interface KioskLink {
  readonly kiosk: Kiosk;
  readonly token: string;
}

/** Kiosks as administrators set them up. All throw `Refusal` or `Problem`, and then nothing has changed. */
export interface Kiosks {
  /** The newest first. */
  list(): Promise<Kiosk[]>;
  /** Adds a kiosk and returns the token of its link, once. */
  add(input: KioskInput, actor: Actor): Promise<KioskLink>;
  /** Replaces all that is chosen for it. Its link stays valid. */
  change(id: number, input: KioskInput, actor: Actor): Promise<Kiosk>;
  /** Gives it another link: from then on no process accepts the one before. */
  renewLink(id: number, actor: Actor): Promise<KioskLink>;
  /** Withdraws its link: from then on no process accepts the token. */
  remove(id: number, actor: Actor): Promise<void>;
  /** Stores a picture, given in base64; null removes it. */
  setBackground(id: number, image: string | null, actor: Actor): Promise<void>;
}

interface KiosksDeps {
  readonly tables: Parameters<typeof makeCheckKiosk>[0] & { readonly kiosks: KioskTable };
  readonly system: System;
}

/** Fills the screen of a tablet, also of one with small pixels. */
const backgroundLimits = { maxBytes: 1024 * 1024, size: { width: 1920, height: 1920 } };

export const makeKiosks = ({ tables, system }: KiosksDeps): Kiosks => {
  const check = makeCheckKiosk(tables);

  const list: Kiosks['list'] = async () => {
    const [kiosks, sites, profiles, backgrounds] = [
      await tables.kiosks.all(),
      await tables.sites.details(),
      await tables.profiles.all(),
      await tables.kiosks.backgroundVersions(),
    ];
    return kiosks.map(({ tokenHash: _, ...kiosk }) => {
      const ids = [kiosk.profileId, ...kiosk.moreProfileIds];
      const profileNames = ids.flatMap((id) => profiles.find((profile) => profile.id === id)?.name ?? []);
      return {
        ...kiosk,
        siteName: sites.find(({ id }) => id === kiosk.siteId)?.name ?? '',
        profileName: profileNames[0] ?? '',
        profileNames,
        hasBackground: backgrounds.has(kiosk.id),
      };
    });
  };

  const find = async (id: number): Promise<Kiosk> => {
    const kiosk = (await list()).find((one) => one.id === id);
    if (!kiosk) throw new Problem('not_found');
    return kiosk;
  };

  /** Another kiosk may have the address. */
  const checkFree = async (slug: string | null, id: number): Promise<void> => {
    const other = slug === null ? undefined : await tables.kiosks.findBy({ slug });
    if (other && other.id !== id) throw new Refusal('slug-taken', 'another guest page has this address');
  };

  /**
   * Somebody else may take the address between the check and the change: then its index refuses the change.
   */
  const withSlug = async <T>(slug: string | null, id: number, work: () => Promise<T>): Promise<T> => {
    await checkFree(slug, id);
    try {
      return await work();
    } catch (error) {
      await checkFree(slug, id);
      throw error;
    }
  };

  const newToken = (): string => system.randomBytes(32).toString('base64url');

  return {
    list,
    add: async (input, actor) => {
      const { values, site, profiles } = await check(input);
      const token = newToken();
      const kiosk = {
        ...values,
        tokenHash: hashToken(token),
        createdAt: system.now(),
        createdBy: actor.name ?? '',
      };
      const detail = summarizeKiosk(
        values,
        profiles.map(({ name }) => name),
      );
      const audit = draftAudit(actor, 'kiosk.add', system.now(), detail);
      const shownName = values.name || site.name;
      const id = await withSlug(values.slug, 0, () => tables.kiosks.add(kiosk, shownName, audit));
      return { kiosk: await find(id), token };
    },
    change: async (id, input, actor) => {
      const before = await find(id);
      const { values, profiles } = await check(input);
      // A link that was handed out would lead past the puzzle, or live again.
      if ((before.slug === null) !== (values.slug === null))
        throw new Refusal(
          'kiosk-kind-fixed',
          'a kiosk does not become a guest page, nor a guest page a kiosk',
        );
      const detail = summarizeKiosk(
        values,
        profiles.map(({ name }) => name),
      );
      const audit = draftAudit(actor, 'kiosk.change', system.now(), detail);
      await withSlug(values.slug, id, () => tables.kiosks.change(id, values, audit));
      return find(id);
    },
    renewLink: async (id, actor) => {
      // A public page has no link.
      if ((await find(id)).slug !== null) throw new Problem('not_found');
      const token = newToken();
      const audit = draftAudit(actor, 'kiosk.renew-link', system.now());
      if (!(await tables.kiosks.change(id, { tokenHash: hashToken(token) }, audit)))
        throw new Problem('not_found');
      return { kiosk: await find(id), token };
    },
    remove: async (id, actor) => {
      if (!(await tables.kiosks.remove(id, draftAudit(actor, 'kiosk.remove', system.now()))))
        throw new Problem('not_found');
    },
    setBackground: async (id, image, actor) => {
      const picture = image === null ? null : await toUploadedPicture(image, backgroundLimits);
      const detail = picture
        ? { mediaType: picture.mediaType, bytes: picture.image.length }
        : { removed: true };
      const background = picture && {
        ...picture,
        version: hash('sha256', picture.image, 'hex').slice(0, 16),
      };
      const audit = draftAudit(actor, 'kiosk.background', system.now(), detail);
      if (!(await tables.kiosks.setBackground(id, background, audit))) throw new Problem('not_found');
    },
  };
};

/** What is stored of the token in a link. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');
