import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from './database.js';

export interface Member {
  readonly id: number;
  readonly name: string;
}

/** Who may lend and borrow. Passwords and tokens are stored as hashes. */
export interface Members {
  /** `undefined` when the name is taken. */
  add(name: string, password: string): Promise<Member | undefined>;
  /** A token; `undefined` when name or password are wrong. */
  signIn(name: string, password: string): Promise<string | undefined>;
  find(token: string): Promise<Member | undefined>;
}

const derive = promisify<string, string, number, Buffer>(scrypt);

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const isSame = async (password: string, stored: string): Promise<boolean> => {
  const [salt = '', hash = ''] = stored.split(':');
  const [given, known] = [await derive(password, salt, 32), Buffer.from(hash, 'hex')];
  return given.length === known.length && timingSafeEqual(given, known);
};

/** Compared with where there is nobody, so that it takes as long. */
const nobody = `${'0'.repeat(32)}:${'0'.repeat(64)}`;

export const makeMembers = (database: Database): Members => ({
  add: async (name, password) => {
    const salt = randomBytes(16).toString('hex');
    const stored = `${salt}:${(await derive(password, salt, 32)).toString('hex')}`;
    const added = await database.run(
      'insert into members (name, password) values (?, ?) on conflict do nothing',
      name,
      stored,
    );
    return added.changes === 1 ? { id: added.id, name } : undefined;
  },
  signIn: async (name, password) => {
    const member = await database.get<{ id: number; password: string }>(
      'select id, password from members where name = ?',
      name,
    );
    const isRight = await isSame(password, member?.password ?? nobody);
    if (!member || !isRight) return undefined;
    const token = randomBytes(24).toString('base64url');
    await database.run('insert into tokens (hash, member_id) values (?, ?)', hashOf(token), member.id);
    return token;
  },
  find: (token) =>
    database.get<Member>(
      'select id, name from members join tokens on member_id = id where hash = ?',
      hashOf(token),
    ),
});
