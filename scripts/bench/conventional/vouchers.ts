import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Knex } from 'knex';
import { keyNames } from './keys.js';

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

export const listVouchers =
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
    res.json({ vouchers: rows.map((row) => describe(row, now)) });
  };

const describe = (row: VoucherRow, now: number) => ({
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
export const createVoucher =
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
