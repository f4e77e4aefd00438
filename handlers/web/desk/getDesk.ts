import type { WebHandler } from '../handler.js';

export const getDesk: WebHandler<'getDesk'> = async (
  { principal, reply },
  { sites, profiles, printers, emails, openNetworks },
) => {
  const visible = (await sites.list(principal.user)).filter(({ active }) => active);
  const [known, allPrinters, networks] = await Promise.all([
    profiles.list(principal.user),
    printers.list(),
    openNetworks(visible),
  ]);
  return reply(200, {
    sites: visible.map(({ id, name, ssid, slipText, hasLogo, defaultProfileId, ...site }) => ({
      ...{ id, name, ssid, slipText, hasLogo, defaultProfileId },
      ...{ slipPaper: site.slipPaper, printAtOnce: site.printAtOnce, printerId: site.printerId },
      wifiPassword: networks.get(id)?.password ?? null,
      wifiJoinText: networks.get(id)?.joinText ?? null,
      profiles: known
        .filter(({ siteIds }) => siteIds?.includes(id) !== false)
        .map(({ siteIds: _, ...profile }) => profile),
      printers: allPrinters
        .filter(({ siteIds }) => siteIds?.includes(id) !== false)
        .map((printer) => ({ id: printer.id, name: printer.name })),
    })),
    hasEmail: emails.isSetUp,
  });
};
