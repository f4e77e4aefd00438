// The conventional way: Express 5, express-openapi-validator on the same contract, knex, res.json. A key look-up and
// the operation's own queries at every request. It writes no log and has no limiter, which is in its favour.
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Knex } from 'knex';
import * as OpenApiValidator from 'express-openapi-validator';
import { makeSecurityHandlers } from './keys.js';
import { listSites } from './sites.js';
import { createVoucher, listVouchers } from './vouchers.js';

export interface AppOptions {
  readonly db: Knex;
  readonly contractFile: string;
}

export const makeApp = ({ db, contractFile }: AppOptions): Express => {
  const app = express();
  app.use(express.json({ limit: '64kb' }));
  app.use(
    OpenApiValidator.middleware({
      apiSpec: contractFile,
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

/** Express tells an error handler by its four parameters. */
const answerError: ErrorRequestHandler = (error: { status?: number; message?: string }, _req, res, _next) => {
  const status = error.status ?? 500;
  res
    .status(status)
    .json({ error: status < 500 ? 'invalid_request' : 'server_error', message: error.message });
};
