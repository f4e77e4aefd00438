import type { RequestHandler } from 'express';
import type { Knex } from 'knex';

export const listSites =
  (db: Knex): RequestHandler =>
  async (_req, res) => {
    const sites = await db('sites').select('id', 'name').where('active', true).orderBy('name');
    res.json({ sites });
  };
