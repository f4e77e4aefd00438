import type { Tables } from '../app/tables.js';
import { credentialsBinding, SecretError, wifiBinding, type Secrets } from '../secrets/encryption.js';
import type { PassPhraseSealing } from '../secrets/passPhrase.js';
import { openWebhook } from '../webhooks/webhooks.js';
import { formatName, formatVersion } from './configurationSchema.js';
import {
  type Configuration,
  type FileController,
  type FileSites,
  type FileWebhook,
} from './configurationFile.js';
import { ConfigurationError } from './configurationError.js';
import { toFileKiosk } from './kioskPart.js';
import { exportBranding } from './brandingPart.js';
import { exportMailServer } from './mailServerInFile.js';
import { exportIdentityProvider } from './identityProviderInFile.js';
import { exportOwnTexts } from './ownTextsInFile.js';
import { exportSmsProvider } from './smsProviderInFile.js';
import { fileCredentialsBinding, fileWebhookBinding, fileWifiBinding } from './sealedInFile.js';

export interface ExportedConfiguration extends Configuration {
  /** Sites that are not part of it: their controller was removed, and only their vouchers are left. */
  readonly leftOut: readonly string[];
}

/** What secrets are opened and sealed with. Without it they are left out. */
export interface SecretTransfer {
  readonly stored: Secrets;
  readonly file: Secrets;
}

/**
 * Collects the configuration from the database. Throws `ConfigurationError` for a secret that does not open.
 */
export const exportConfiguration = async (
  tables: Tables,
  transfer: SecretTransfer | undefined,
): Promise<ExportedConfiguration> => {
  const controllers = await tables.controllers.all();
  const known = new Map(controllers.map(({ id, name }) => [id, name]));
  const [sites, leftOut] = [await tables.sites.details(), [] as string[]];
  const profiles = await tables.profiles.all();
  const mailServer = await exportMailServer(tables, transfer);
  const smsProvider = await exportSmsProvider(tables, transfer);
  const identityProvider = await exportIdentityProvider(tables, transfer);
  const branding = await exportBranding(tables);
  const profileNames = new Map(profiles.map(({ id, name }) => [id, name]));
  const printers = await tables.printers.all();
  const printerNames = new Map(printers.map(({ id, name }) => [id, name]));
  const exported = sites.filter(({ controllerId, name }) => {
    if (known.has(controllerId)) return true;
    leftOut.push(name);
    return false;
  });
  const wifiPasswords = await tables.sites.sealedWifiPasswords();
  const exportedIds = new Set(exported.map(({ id }) => id));
  const toSites = (ids: readonly number[] | null): FileSites =>
    ids === null ? 'all' : ids.filter((id) => exportedIds.has(id));
  return {
    controllers: controllers.map((stored): FileController => {
      const { name, kind, settings, sealedCredentials: sealed } = stored;
      const credentials =
        transfer && sealed !== null
          ? withName(`controller "${name}"`, () =>
              transfer.file.seal(
                transfer.stored.open(sealed, credentialsBinding(stored)),
                fileCredentialsBinding(stored),
              ),
            )
          : null;
      return { name, kind, settings, credentials };
    }),
    sites: exported.map(({ id, name, active, controllerName, controllerSite, ...site }) => ({
      id,
      name,
      active,
      controller: controllerName,
      controllerSite,
      ssid: site.ssid,
      wifiKind: site.wifiKind,
      isWifiHidden: site.isWifiHidden,
      wifiPassword: withName(`the Wi-Fi password of site ${String(id)}`, () => {
        const sealed = wifiPasswords.get(id);
        if (!transfer || sealed === undefined) return null;
        return transfer.file.seal(
          transfer.stored.open(sealed, wifiBinding(id)),
          fileWifiBinding({ id, ssid: site.ssid }),
        );
      }),
      slipText: site.slipText,
      slipPaper: site.slipPaper,
      printAtOnce: site.printAtOnce,
      printer: printerNames.get(site.printerId ?? 0) ?? null,
      defaultProfile: profileNames.get(site.defaultProfileId ?? 0) ?? null,
    })),
    profiles: profiles.map(({ id: _, siteIds, ...profile }) => ({ ...profile, sites: toSites(siteIds) })),
    printers: printers.map(({ id: _, siteIds, ...printer }) => ({
      ...printer,
      sites: toSites(siteIds),
    })),
    webhooks: (await tables.webhooks.all()).map((stored): FileWebhook => {
      const { name, format, language, active, reportsControllers } = stored;
      const open = { name, format, language, active, reportsControllers };
      if (!transfer) return { ...open, address: null, secret: null };
      return withName(`webhook "${name}"`, () => {
        const { address, secrets } = openWebhook(stored, transfer.stored);
        const current = secrets.find(({ until }) => until === null)?.secret;
        const seal = (value: string, part: 'address' | 'secret'): string =>
          transfer.file.seal(value, fileWebhookBinding(stored, part));
        const secret = current === undefined ? null : seal(current, 'secret');
        return { ...open, address: seal(address, 'address'), secret };
      });
    }),
    kiosks: (await tables.kiosks.all())
      .filter(({ siteId }) => exportedIds.has(siteId))
      .reverse()
      .map((kiosk) => toFileKiosk(kiosk, profileNames, printerNames)),
    orderLimits: (await tables.orderLimits.all())
      .filter(({ siteId }) => siteId === null || exportedIds.has(siteId))
      .map(({ id: _, siteId: site, ...limit }) => ({ ...limit, site })),
    settings: await tables.settings.signInRules(),
    ...(mailServer && { mailServer }),
    ...(smsProvider && { smsProvider }),
    ...(identityProvider && { identityProvider }),
    ownTexts: await exportOwnTexts(tables, exportedIds),
    ...(branding && { branding }),
    leftOut,
  };
};

const withName = <T>(what: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    throw new ConfigurationError(
      'secret-key-wrong',
      `${what} was sealed with another key or for another address: \`doctor\` says what to do; --without-secrets exports the rest`,
    );
  }
};

interface FileHead {
  readonly version: string;
  readonly at: string;
  readonly sealing: PassPhraseSealing | undefined;
}

/** The text of the file. */
export const formatConfiguration = async (
  { leftOut: _, ...configuration }: ExportedConfiguration,
  { version, at, sealing }: FileHead,
): Promise<string> => {
  const { stringify } = await import('yaml');
  const secrets = sealing
    ? 'Secrets are sealed with a pass phrase, and belong to the names and addresses beside them.'
    : 'It holds no secrets: credentials, addresses of webhooks and Wi-Fi passwords have to be entered again.';
  const body = {
    voucherd: formatName,
    version: formatVersion,
    ...(sealing && { sealing: { ...sealing, salt: sealing.salt.toString('base64') } }),
    ...configuration,
  };
  return `# The configuration of voucherd ${version}, exported ${at}. See docs/backup.md.\n# ${secrets}\n${stringify(body, { aliasDuplicateObjects: false, lineWidth: 0 })}`;
};
