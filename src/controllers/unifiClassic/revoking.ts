import type { Controller } from '../controller.js';
import type { Api } from './api.js';
import type { Sites } from './sites.js';
import { settle } from './verdict.js';

export interface RevokingOptions {
  readonly api: Api;
  readonly sites: Sites;
  readonly name: string;
}

/** Most controllers say ok to a voucher that is gone; some say one of these. */
const gone: readonly string[] = ['api.err.NotFound', 'api.err.IdInvalid'];

export const makeRevoke =
  ({ api, sites, name }: RevokingOptions): Controller['revoke'] =>
  async (controllerSite, id, signal) => {
    const json = { cmd: 'delete-voucher', _id: id };
    const verdict = await sites.use(
      controllerSite,
      (site) => api.ask({ method: 'POST', path: `/api/s/${site}/cmd/hotspot`, json, signal }),
      signal,
    );
    if (verdict.kind !== 'refused' || !gone.includes(verdict.code ?? '')) settle(verdict, name);
  };
