import { constants } from 'node:fs';
import { access, readdir, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config.js';
import { toQuotedWord } from '../lib/commandLine.js';
import { isOpenToOthers, makePrivateFolder } from '../lib/privateFiles.js';
import { errorCode } from '../lib/errorCode.js';
import { publicText } from '../lib/publicText.js';
import type { Clock } from '../lib/system.js';
import { sameText, texts, type Finding } from './finding.js';

const minFreeMib = 200;

/** Is there room on the disk, and may we write there? */
export const checkDisk = async ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> => {
  const check = 'disk';
  try {
    makePrivateFolder(dataDir);
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = Math.floor((bavail * bsize) / 1024 ** 2);
    return free >= minFreeMib
      ? { check, ok: true, message: texts(`${String(free)} MiB frei`, `${String(free)} MiB free`) }
      : {
          check,
          ok: false,
          message: texts(`nur ${String(free)} MiB frei`, `only ${String(free)} MiB free`),
          remedy: texts(
            `auf dem Datenträger von ${dataDir} mindestens 200 MiB frei machen`,
            `free at least 200 MiB on the disk of ${dataDir}`,
          ),
        };
  } catch (error) {
    return {
      check,
      ok: false,
      message: texts(
        `in ${dataDir} kann nicht geschrieben werden${parenthesize(errorCode(error))}`,
        publicText(error),
      ),
      remedy: texts(
        `diesen Benutzer in ${dataDir} schreiben lassen, oder DATA_DIR setzen`,
        `let this user write to ${dataDir}, or set DATA_DIR`,
      ),
    };
  }
};

const parenthesize = (code: string): string => (code === '' ? '' : ` (${code})`);

/** Shows the time zone too, because each voucher's name holds the local date. */
export const checkClock = (clock: Clock): Finding => {
  const check = 'clock';
  const now = new Date(clock.now());
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const time = `${now.toISOString().slice(0, 19)}Z`;
  const message = texts(`${time}, Zeitzone ${zone}`, `${time}, zone ${zone}`);
  return now.getFullYear() >= 2026 && now.getFullYear() < 2100
    ? { check, ok: true, message }
    : {
        check,
        ok: false,
        message,
        remedy: texts('die Uhr dieses Rechners stellen', 'set the clock of this machine'),
      };
};

/** Can vouchers be sent by e-mail? It is optional, so a missing set-up is not a failure. */
export const checkEmail = ({ mail }: Pick<Config, 'mail'>): Finding => {
  const check = 'email';
  if (!mail)
    return {
      check,
      ok: true,
      message: texts(
        'nicht eingerichtet: Voucher lassen sich nicht per E-Mail senden',
        'not set up: vouchers can not be sent by e-mail',
      ),
      remedy: texts('wer das will, setzt SMTP_URL und MAIL_FROM', 'to have that, set SMTP_URL and MAIL_FROM'),
    };
  // The address may hold a password.
  const { host } = new URL(mail.smtpUrl);
  return { check, ok: true, message: texts(`eingerichtet, über ${host}`, `set up, through ${host}`) };
};

/** The files that hold data or the key. */
const listDataFiles = async ({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<string[]> => {
  const names = await readdir(dataDir).catch(() => []);
  const ours = names
    .filter((name) => /^(secret\.key|.*\.sqlite)/.test(name))
    .map((name) => join(dataDir, name));
  const [, database] = /^sqlite:(.+)/.exec(databaseUrl) ?? [];
  const beside = database === undefined ? [] : ['', '-wal', '-shm'].map((end) => resolve(database) + end);
  return [...new Set([...ours, ...beside])];
};

/** May others read the files? */
export const checkPermissions = async (config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Finding> => {
  const check = 'permissions';
  const open = (await listDataFiles(config)).filter(isOpenToOthers);
  const files = open.join(', ');
  return open.length === 0
    ? {
        check,
        ok: true,
        message: texts(
          'kein anderer Benutzer dieses Rechners kann die Dateien öffnen',
          'no other user of this machine can open the files',
        ),
      }
    : {
        check,
        ok: false,
        message: texts(
          `jeder Benutzer dieses Rechners kann diese Dateien öffnen: ${files}`,
          `every user of this machine can open ${files}`,
        ),
        remedy: sameText(`chmod o= ${open.map(toQuotedWord).join(' ')}`),
      };
};
