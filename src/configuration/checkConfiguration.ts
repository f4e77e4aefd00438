import { toBrandValues } from '../branding/branding.js';
import type { ControllerCredentials } from '../controllers/controller.js';
import {
  checkControllerCredentials,
  checkControllerSettings,
  isSimulatedKind,
  requiredCredentials,
  settingNamesOf,
} from '../controllers/kinds.js';
import { isPageLanguage, type PageLanguage } from '../i18n/language.js';
import { toLabel } from '../lib/label.js';
import { assertOrderLimit } from '../orderLimits/orderLimits.js';
import { toPrinterValues } from '../printing/receiptPrinters.js';
import { toProfileValues } from '../profiles/profiles.js';
import type { Secrets } from '../secrets/encryption.js';
import { toOwnTexts } from '../sites/ownTexts.js';
import { toSiteValues } from '../sites/sites.js';
import { toWifiPassword } from '../sites/wifi.js';
import type { SsrfGuard } from '../ssrf/ssrfGuard.js';
import { toUserKey } from '../users/names.js';
import { isFormatName, type FormatName } from '../webhooks/formats/format.js';
import { isValidSigningSecret } from '../webhooks/formats/generic.js';
import { isSigningFormat } from '../webhooks/webhooks.js';
import { toOrderLimitValues } from './configurationFile.js';
import type {
  Configuration,
  FileController,
  FileSite,
  FileWebhook,
  ReadConfiguration,
} from './configurationFile.js';
import { checkSmsConnection, splitSmsSettings } from '../sms/smsProvider.js';
import {
  checkIdentityProvider,
  fileProviderBinding,
  type OpenIdentityProvider,
} from './identityProviderInFile.js';
import { fileSmsProviderBinding, type OpenSmsProvider } from './smsProviderInFile.js';
import { checkMailServer, fileMailServerBinding, type OpenMailServer } from './mailServerInFile.js';
import { fileCredentialsBinding, fileWebhookBinding, fileWifiBinding } from './sealedInFile.js';
import { makeFileChecks, type FileChecks } from './fileChecks.js';
import type { FieldPath } from './strictYaml.js';

/** A controller whose credentials are open; undefined when the file does not have them. */
export interface OpenController extends Omit<FileController, 'credentials'> {
  readonly credentials: ControllerCredentials | undefined;
}

/** A site whose password is open; undefined when the file does not have it. */
export interface OpenSite extends Omit<FileSite, 'wifiPassword'> {
  readonly wifiPassword: string | undefined;
}

/** A webhook whose secrets are open; undefined when the file does not have them. */
export interface OpenWebhook extends Pick<FileWebhook, 'name' | 'active' | 'reportsControllers'> {
  readonly format: FormatName;
  readonly language: PageLanguage;
  readonly address: string | undefined;
  readonly secret: string | undefined;
}

/** A configuration that can be imported, with its secrets in clear text: never show or log it. */
export interface OpenConfiguration extends Omit<
  Configuration,
  'controllers' | 'sites' | 'webhooks' | 'mailServer' | 'smsProvider' | 'identityProvider'
> {
  readonly identityProvider?: OpenIdentityProvider;
  readonly mailServer?: OpenMailServer;
  readonly smsProvider?: OpenSmsProvider;
  readonly controllers: readonly OpenController[];
  readonly sites: readonly OpenSite[];
  readonly webhooks: readonly OpenWebhook[];
}

/**
 * A simulated controller, such as that of the demo, has no sites of its own: several of ours may be on it.
 */
export const isPlaceless = (
  { controller, controllerSite }: Pick<FileSite, 'controller' | 'controllerSite'>,
  controllers: readonly Pick<OpenController, 'name' | 'kind'>[],
): boolean =>
  controllerSite === null &&
  controllers.some(({ name, kind }) => name === controller && isSimulatedKind(kind));

/**
 * Opens the secrets, and checks all values as if each was entered. Throws `ConfigurationError` with the line.
 */
export const checkConfiguration = (
  read: ReadConfiguration,
  secrets: Pick<Secrets, 'open'> | undefined,
  guard: Pick<SsrfGuard, 'check'>,
): OpenConfiguration => {
  const { mailServer, smsProvider, identityProvider, branding, ...parts } = read.configuration;
  const checks = makeFileChecks(read, secrets);
  const { check, open } = checks;
  assertAllUnique(parts, checks);
  checkValues(parts, checks);
  if (branding) check(['branding'], () => toBrandValues(branding));
  if (mailServer) check(['mailServer'], () => checkMailServer(mailServer));
  if (identityProvider) check(['identityProvider'], () => checkIdentityProvider(identityProvider));
  if (smsProvider)
    check(['smsProvider'], () => checkSmsConnection(splitSmsSettings(smsProvider).connection, guard));
  return {
    ...parts,
    ...(branding && { branding }),
    ...(identityProvider && {
      identityProvider: {
        ...identityProvider,
        clientSecret: open(
          ['identityProvider', 'clientSecret'],
          identityProvider.clientSecret,
          fileProviderBinding(identityProvider),
        ),
      },
    }),
    ...(mailServer && {
      mailServer: {
        ...mailServer,
        password: open(['mailServer', 'password'], mailServer.password, fileMailServerBinding(mailServer)),
      },
    }),
    ...(smsProvider && {
      smsProvider: {
        ...smsProvider,
        secret: open(['smsProvider', 'secret'], smsProvider.secret, fileSmsProviderBinding(smsProvider)),
      },
    }),
    controllers: parts.controllers.map((controller, index) =>
      openController(['controllers', index], controller, checks),
    ),
    sites: parts.sites.map((site, index) => {
      const path = ['sites', index, 'wifiPassword'];
      const wifiPassword = open(path, site.wifiPassword, fileWifiBinding(site));
      if (wifiPassword !== undefined) check(path, () => toWifiPassword(wifiPassword));
      return { ...site, wifiPassword };
    }),
    webhooks: parts.webhooks.map((webhook, index) =>
      openWebhook(['webhooks', index], webhook, checks, guard),
    ),
  };
};

const assertAllUnique = (
  { controllers, sites, profiles, printers, webhooks, kiosks, orderLimits, ownTexts }: Configuration,
  { assertUnique }: FileChecks,
): void => {
  const byName = ({ name }: { readonly name: string }): string => name;
  const byKey = ({ name }: { readonly name: string }): string => toUserKey(name);
  assertUnique('controllers', controllers.map(byName), 'the name');
  const siteIds = sites.map(({ id }) => String(id));
  assertUnique('sites', siteIds, 'the id');
  const places = sites.map((site) =>
    JSON.stringify([site.controller, isPlaceless(site, controllers) ? site.id : site.controllerSite]),
  );
  assertUnique('sites', places, 'the site of the controller');
  assertUnique('profiles', profiles.map(byKey), 'the name');
  assertUnique('printers', printers.map(byKey), 'the name');
  assertUnique('webhooks', webhooks.map(byName), 'the name');
  const tokens = kiosks.map(({ tokenHash }) => tokenHash);
  assertUnique('kiosks', tokens, 'the token');
  const addresses = kiosks.map(({ slug, tokenHash }) => slug ?? tokenHash);
  assertUnique('kiosks', addresses, 'the public address');
  const scopes = orderLimits.map(({ role, site }) => JSON.stringify([role, site]));
  assertUnique('orderLimits', scopes, 'the role and site');
  const sitesOfTexts = ownTexts.map(({ site }) => String(site));
  assertUnique('ownTexts', sitesOfTexts, 'the site');
};

/** Checks the values of each part, and that what they name is in the file. */
const checkValues = (
  { controllers, sites, profiles, printers, kiosks, orderLimits, ownTexts }: Configuration,
  { refuse, check, assertSites, assertForSite }: FileChecks,
): void => {
  for (const [index, limit] of orderLimits.entries()) {
    check(['orderLimits', index], () => assertOrderLimit(toOrderLimitValues(limit)));
    if (limit.site !== null) assertSites(['orderLimits', index, 'site'], [limit.site]);
  }
  for (const [index, site] of sites.entries()) {
    check(['sites', index], () => toSiteValues({ ...site, wifiPassword: undefined }));
    if (!controllers.some(({ name }) => name === site.controller))
      refuse(['sites', index, 'controller'], `there is no controller "${site.controller}" in the file`);
    if (site.printAtOnce === 'printer')
      assertForSite(['sites', index, 'printer'], 'printer', site.printer ?? '', site.id);
    if (typeof site.defaultProfile === 'string')
      assertForSite(['sites', index, 'defaultProfile'], 'profile', site.defaultProfile, site.id);
  }
  const defaults = profiles.flatMap(({ isDefault }, index) => (isDefault ? [index] : []));
  if (defaults[1] !== undefined)
    refuse(['profiles', defaults[1], 'isDefault'], 'profiles: there is one default at most');
  for (const [index, { sites: ids, ...profile }] of profiles.entries()) {
    check(['profiles', index], () => toProfileValues({ ...profile, siteIds: null }));
    assertSites(['profiles', index, 'sites'], ids);
  }
  for (const [index, { sites: ids, ...printer }] of printers.entries()) {
    check(['printers', index], () => toPrinterValues({ ...printer, siteIds: null }));
    assertSites(['printers', index, 'sites'], ids);
  }
  for (const [index, kiosk] of kiosks.entries()) {
    const { site, profile, moreProfiles = [], printer, name = '' } = kiosk;
    assertSites(['kiosks', index, 'site'], [site]);
    assertForSite(['kiosks', index, 'profile'], 'profile', profile, site);
    for (const other of moreProfiles)
      assertForSite(['kiosks', index, 'moreProfiles'], 'profile', other, site);
    if (typeof printer === 'string') assertForSite(['kiosks', index, 'printer'], 'printer', printer, site);
    if (name !== '') check(['kiosks', index, 'name'], () => toLabel(name, 100));
  }
  for (const [index, { site, texts }] of ownTexts.entries()) {
    if (site !== null) assertSites(['ownTexts', index, 'site'], [site]);
    check(['ownTexts', index, 'texts'], () => toOwnTexts(texts));
  }
};

const openController = (
  path: FieldPath,
  controller: FileController,
  { refuse, check, open }: FileChecks,
): OpenController => {
  check(path, () => toLabel(controller.name));
  check([...path, 'kind'], () => requiredCredentials(controller.kind));
  const unknown = Object.keys(controller.settings).find(
    (key) => !settingNamesOf(controller.kind).includes(key),
  );
  if (unknown !== undefined) refuse([...path, 'settings', unknown], `unknown setting "${unknown}"`);
  check([...path, 'settings'], () => checkControllerSettings(controller));
  const text = open([...path, 'credentials'], controller.credentials, fileCredentialsBinding(controller));
  const credentials =
    text === undefined
      ? undefined
      : check(path, () => parseCredentials(text) ?? refuse(path, 'not credentials'));
  if (credentials)
    check([...path, 'credentials'], () => checkControllerCredentials(controller.kind, credentials));
  return { ...controller, credentials };
};

const openWebhook = (
  path: FieldPath,
  webhook: FileWebhook,
  { refuse, check, open: openSealed }: FileChecks,
  guard: Pick<SsrfGuard, 'check'>,
): OpenWebhook => {
  const { name, format, language, active, reportsControllers } = webhook;
  check(path, () => toLabel(name));
  if (!isFormatName(format)) return refuse([...path, 'format'], `unknown format "${format}"`);
  if (!isPageLanguage(language)) return refuse([...path, 'language'], `unknown language "${language}"`);
  const open = (part: 'address' | 'secret'): string | undefined =>
    openSealed([...path, part], webhook[part], fileWebhookBinding(webhook, part));
  const [address, secret] = [open('address'), open('secret')];
  if (address !== undefined) check([...path, 'address'], () => guard.check(address));
  if (secret !== undefined && !isValidSigningSecret(secret))
    refuse([...path, 'secret'], 'not a secret to sign with');
  if (address !== undefined && isSigningFormat(format) !== (secret !== undefined))
    refuse(path, `the format ${format} ${isSigningFormat(format) ? 'needs' : 'takes no'} secret`);
  return { name, format, language, active, reportsControllers, address, secret };
};

const parseCredentials = (text: string): ControllerCredentials | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((one) => typeof one === 'string')
      ? (value as ControllerCredentials)
      : undefined;
  } catch {
    return undefined;
  }
};
