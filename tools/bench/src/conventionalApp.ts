import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Request, RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { Knex } from 'knex';
import { parse } from 'yaml';

// The conventional way: Express 5, express-openapi-validator on the same contract, knex, res.json. A key look-up and
// the operation's own queries at every request. It writes no log and has no limiter, which is in its favour.

interface ConventionalAppOptions {
  readonly db: Knex;
  readonly contractFile: string;
}

export const makeConventionalApp = ({ db, contractFile }: ConventionalAppOptions): Express => {
  const app = express();
  app.use(express.json({ limit: '64kb' }));
  app.use(
    OpenApiValidator.middleware({
      apiSpec: readContract(contractFile),
      validateRequests: true,
      validateResponses: false,
      validateSecurity: { handlers: makeSecurityHandlers(db) },
    }),
  );
  app.get('/sites.php', listSites(db));
  app.get('/vouchers.php', listVouchers(db));
  app.post('/vouchers.php', createVoucher(db));
  app.use(answerError);
  return app;
};

/** The validator's own reader knows no merge keys, and changes what YAML aliases share. */
const readContract = (file: string): OpenAPIV3.DocumentV3 =>
  JSON.parse(
    JSON.stringify(parse(readFileSync(file, 'utf8'), { merge: true, maxAliasCount: -1 })),
  ) as OpenAPIV3.DocumentV3;

/** Express tells an error handler by its four parameters. */
const answerError: ErrorRequestHandler = (error: { status?: number; message?: string }, _req, res, _next) => {
  const status = error.status ?? 500;
  res
    .status(status)
    .json({ error: status < 500 ? 'invalid_request' : 'server_error', message: error.message });
};

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
const keyNames = new WeakMap<Request, string>();

/** Either header may carry the key. Throws what express-openapi-validator makes a 401 or a 403 of. */
const makeSecurityHandlers = (db: Knex) => {
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

const listSites =
  (db: Knex): RequestHandler =>
  async (_req, res) => {
    const sites = await db('sites').select('id', 'name').where('active', true).orderBy('name');
    res.json({ sites });
  };

interface VoucherRow {
  code: string;
  name: string;
  max_uses: number;
  expire_minutes: number;
  status: string;
  used_count: number;
  created_at: number;
  expires_at: number | null;
}

/** The body as the validator leaves it, defaults filled in. */
interface Order {
  site_id: number;
  name: string;
  max_uses: number;
  expire_minutes: number;
}

const listVouchers =
  (db: Knex): RequestHandler =>
  async (req, res) => {
    const rows = await db<VoucherRow & { id: number; site_id: number }>('vouchers')
      .select(
        'code',
        'name',
        'max_uses',
        'expire_minutes',
        'status',
        'used_count',
        'created_at',
        'expires_at',
      )
      .where('site_id', Number(req.query['site_id']))
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(200);
    const now = Date.now();
    res.json({ vouchers: rows.map((row) => describeVoucher(row, now)) });
  };

const describeVoucher = (row: VoucherRow, now: number) => ({
  voucher_code: row.code,
  voucher_name: row.name,
  max_uses: row.max_uses,
  expire_minutes: row.expire_minutes,
  status: row.expires_at !== null && row.expires_at <= now ? 'expired' : row.status,
  used_count: row.used_count,
  created_at: new Date(row.created_at).toISOString(),
  expires_at: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
});

/** The voucher and its notification in one transaction, after the controller has answered. */
const createVoucher =
  (db: Knex): RequestHandler =>
  async (req, res) => {
    const order = req.body as Order;
    const site = await db<{ id: number; name: string; active: boolean; controller_id: number }>('sites')
      .where({ id: order.site_id, active: true })
      .first();
    if (!site) {
      res.status(404).json({ error: 'not_found', message: 'Site nicht gefunden' });
      return;
    }
    const now = Date.now();
    const made = instantController();
    await db.transaction(async (transaction) => {
      await transaction('vouchers').insert({
        site_id: site.id,
        controller_id: site.controller_id,
        controller_voucher_id: made.id,
        code: made.code,
        name: `${new Date(now).toISOString().slice(0, 10)}_${order.name}`,
        max_uses: order.max_uses,
        expire_minutes: order.expire_minutes,
        status: 'valid',
        used_count: 0,
        created_at: now,
      });
      await transaction('notifications').insert({
        id: randomUUID(),
        count: 1,
        site: site.name,
        source: `API: ${keyNames.get(req) ?? ''}`,
        created_at: now,
      });
    });
    res.status(201).json({
      success: true,
      code: made.code,
      formatted_code: `${made.code.slice(0, 5)}-${made.code.slice(5)}`,
      site: site.name,
      max_uses: order.max_uses,
      expire_minutes: order.expire_minutes,
    });
  };

const instantController = (): { id: string; code: string } => ({
  id: randomUUID(),
  code: String(randomBytes(6).readUIntBE(0, 6) % 10_000_000_000).padStart(10, '0'),
});
