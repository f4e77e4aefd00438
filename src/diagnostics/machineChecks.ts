import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import type { Config } from '../config/config.js';
import type { Texts } from '../i18n/language.js';
import { toTexts } from '../i18n/messages.js';
import { minFreeBytes, nearestFolder } from '../lib/folders.js';
import { errorCode } from '../lib/errorCode.js';
import type { Clock } from '../lib/system.js';
import type { Finding } from './finding.js';

/** As people of a language read it: 79.5 GB, 79,5 Go. */
const wordBytes = (bytes: number): Texts => {
  const [size, unit] = bytes >= 1e9 ? [bytes / 1e9, 'gigabyte'] : [bytes / 1e6, 'megabyte'];
  return toTexts((language) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, maximumSignificantDigits: 3 }).format(size),
  );
};

/**
 * Is there room on the disk, and may we write there? Creates nothing: a missing folder is that of the service
 * to make.
 */
export const checkDisk = async ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> => {
  const check = 'disk';
  try {
    const folder = nearestFolder(dataDir);
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    const free = wordBytes(freeBytes);
    return freeBytes >= minFreeBytes
      ? { check, ok: true, message: { code: 'disk-free', values: { free } } }
      : {
          check,
          ok: false,
          message: { code: 'disk-low', values: { free } },
          remedy: { code: 'disk-low', values: { dataDir } },
        };
  } catch (error) {
    return {
      check,
      ok: false,
      message: {
        code: 'disk-not-writable',
        values: { dataDir, code: parenthesize(errorCode(error)) },
      },
      remedy: { code: 'disk-not-writable', values: { dataDir } },
    };
  }
};

const parenthesize = (code: string): string => (code === '' ? '' : ` (${code})`);

/** Shows the time zone too, because each voucher's name holds the local date. */
export const checkClock = (clock: Clock): Finding => {
  const check = 'clock';
  const now = new Date(clock.now());
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const message = { code: 'clock', values: { time: { at: now.getTime() }, zone } } as const;
  return now.getFullYear() >= 2026 && now.getFullYear() < 2100
    ? { check, ok: true, message }
    : { check, ok: false, message, remedy: { code: 'clock', values: {} } };
};
