import type { Controller } from '../../../src/controllers/controller.js';
import { makeUnifi, type UnifiOptions } from '../../../src/controllers/unifi/unifi.js';
import { someOrder } from '../../conformance/controller.js';
import { sharedCertificate } from '../../support/certificate.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { startTarget, type Answer, type Arrived, type Target } from '../https/target.js';

/** What a scripted controller answers. */
export interface Line {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects become JSON; texts stay as they are. */
  readonly body?: unknown;
}

/** A controller that says what no simulator says. */
export interface Scripted {
  readonly target: Target;
  readonly controller: Controller;
  /** What it was asked, without the query: `POST /sites/…/hotspot/vouchers`. */
  asked(): string[];
  stop(): Promise<void>;
}

export const apiKey = 'Zf7-geheim_Xq';
export const siteId = '11111111-2222-3333-4444-555555555555';

/** An order for a site that needs no look-up. */
export const direct = someOrder({ controllerSite: siteId });

export const someVoucher = {
  id: '99999999-2222-3333-4444-555555555555',
  createdAt: '2026-11-14T09:30:00Z',
  name: direct.name,
  code: '0123456789',
  authorizedGuestCount: 0,
  expired: false,
  timeLimitMinutes: 480,
};

const base = '/proxy/network/integration/v1';

export const startScripted = async (
  script: (request: Arrived) => Line,
  options: Partial<UnifiOptions> = {},
): Promise<Scripted> => {
  const answer: Answer = (response, request) => {
    const { status = 200, headers = {}, body = '' } = script(request);
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const target = await startTarget(answer, { certificate: await sharedCertificate() });
  const controller = makeUnifi({
    ...someControllerDeps({ deadlineMs: 60_000 }),
    name: 'Zentrale',
    settings: { url: target.url, fingerprint: target.fingerprint },
    credentials: { apiKey },
    ...options,
  });
  return {
    target,
    controller,
    asked: () =>
      target.requests.map(({ method, path }) => `${method} ${path?.replace(base, '').replace(/\?.*/, '')}`),
    stop: async () => {
      await controller.close();
      await target.stop();
    },
  };
};
