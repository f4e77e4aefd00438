import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const endings = { 'image/png': 'png', 'image/jpeg': 'jpeg' } as const;

export type PhotoType = keyof typeof endings;

const types = Object.keys(endings) as PhotoType[];

/** A file for the photo of each thing. */
export interface Photos {
  store(thingId: number, mediaType: PhotoType, content: Readable): Promise<void>;
  find(thingId: number): Promise<{ mediaType: PhotoType; stream(): Readable } | undefined>;
  remove(thingId: number): Promise<void>;
}

export const makePhotos = async (folder: string): Promise<Photos> => {
  await mkdir(folder, { recursive: true });
  let stored = 0;
  let exchanged: Promise<unknown> = Promise.resolve();
  /** One after the other: of two photos that come at once, each would remove the other one. */
  const exchange = (change: () => Promise<void>): Promise<void> => {
    const changed = exchanged.then(change);
    exchanged = changed.catch(() => undefined);
    return changed;
  };
  const fileOf = (thingId: number, type: PhotoType) => join(folder, `${String(thingId)}.${endings[type]}`);
  const remove = async (thingId: number, kept?: PhotoType): Promise<void> => {
    for (const type of types) if (type !== kept) await rm(fileOf(thingId, type), { force: true });
  };
  return {
    store: async (thingId, mediaType, content) => {
      // Nobody sees half of it.
      const part = join(folder, `${String((stored += 1))}.part`);
      try {
        await pipeline(content, createWriteStream(part));
        await exchange(async () => {
          await rename(part, fileOf(thingId, mediaType));
          await remove(thingId, mediaType);
        });
      } finally {
        await rm(part, { force: true });
      }
    },
    find: async (thingId) => {
      for (const mediaType of types) {
        const file = fileOf(thingId, mediaType);
        const found = await stat(file).catch(() => undefined);
        if (found) return { mediaType, stream: () => createReadStream(file) };
      }
      return undefined;
    },
    remove: (thingId) => exchange(() => remove(thingId)),
  };
};
