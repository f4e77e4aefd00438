import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { Knex } from 'knex';

interface Key {
  id: number;
  name: string;
  hash: string;
  scope: string;
  expires_at: number | null;
}

interface Refusal extends Error {
  status: number;
}

/** Who asks, for the routes behind the validator. */
export const keyNames = new WeakMap<Request, string>();

/** Either header may carry the key. Throws what express-openapi-validator makes a 401 or a 403 of. */
export const makeSecurityHandlers = (db: Knex) => {
  const check = async (req: Request, text: string): Promise<boolean> => {
    const key = await findKey(db, text);
    if (!key) return false;
    if (req.method === 'POST' && key.scope !== 'write') throw forbidden();
    keyNames.set(req, key.name);
    return true;
  };
  return {
    bearerAuth: (req: Request) => check(req, (req.get('authorization') ?? '').replace(/^bearer\s+/i, '')),
    apiKeyAuth: (req: Request) => check(req, req.get('x-api-key') ?? ''),
  };
};

const findKey = async (db: Knex, text: string): Promise<Key | undefined> => {
  const hash = createHash('sha256').update(text).digest();
  const keys = await db<Key & { prefix: string; revoked_at: number | null }>('api_keys')
    .select('id', 'name', 'hash', 'scope', 'expires_at')
    .where('prefix', text.slice(4, 12))
    .whereNull('revoked_at');
  return keys.find(
    (key) =>
      timingSafeEqual(Buffer.from(key.hash, 'hex'), hash) &&
      (key.expires_at === null || key.expires_at > Date.now()),
  );
};

const forbidden = (): Refusal => Object.assign(new Error('the key lacks the scope write'), { status: 403 });
