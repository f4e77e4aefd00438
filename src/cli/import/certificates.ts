import { fetchCertificate } from '../../controllers/https/certificate.js';
import { controllerAddressOf } from '../../controllers/https/settings.js';
import { controllerTrustOf } from '../../controllers/kinds.js';
import type { ImportPlan } from '../../import/phpTool/plan.js';
import type { OpenedTables } from '../openTables.js';

/** What the console of an imported controller shows; null when it does not answer. */
export interface ShownCertificate {
  readonly controller: string;
  readonly address: string;
  readonly fingerprint: string | null;
  /** Does the system trust it? Then it need not be pinned. */
  readonly trusted: boolean;
}

const maxDeadlineMs = 5000;
const parallel = 16;

/** Fetches the certificates of controllers whose trust nobody has set. A silent console only delays it. */
export const fetchCertificates = async (
  plan: ImportPlan,
  { tables, config }: OpenedTables,
): Promise<ShownCertificate[]> => {
  const addresses = new Set(plan.controllers.map(({ address }) => new URL(address).href));
  const unpinned = (await tables.controllers.all()).flatMap((controller) => {
    const address = controllerAddressOf(controller);
    const isImported = address !== undefined && addresses.has(new URL(address).href);
    return isImported && controllerTrustOf(controller) === 'system'
      ? [{ name: controller.name, address }]
      : [];
  });
  const deadlineMs = Math.min(config.controllerDeadlineMs, maxDeadlineMs);
  const fetchOne = async ({ name, address }: (typeof unpinned)[number]): Promise<ShownCertificate> => {
    const shown = await fetchCertificate({ name, address, deadlineMs }).catch(() => undefined);
    return {
      controller: name,
      address,
      fingerprint: shown?.fingerprint ?? null,
      trusted: shown !== undefined && shown.failure === undefined,
    };
  };
  const certificates: ShownCertificate[] = [];
  for (let start = 0; start < unpinned.length; start += parallel)
    certificates.push(...(await Promise.all(unpinned.slice(start, start + parallel).map(fetchOne))));
  return certificates;
};
