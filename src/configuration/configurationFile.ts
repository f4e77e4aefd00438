import { Ajv, type ErrorObject } from 'ajv';
import type { MailServerInput } from '../email/mailServer.js';
import type { KioskValues, StoredKiosk } from '../kiosks/kioskTable.js';
import type { OrderLimitValues } from '../orderLimits/orderLimitTable.js';
import type { PassPhraseSealing } from '../secrets/passPhrase.js';
import { isAllowedCost } from '../secrets/passPhrase.js';
import { ConfigurationError } from './configurationError.js';
import type { Printer } from '../printing/printerTable.js';
import type { Profile } from '../profiles/profileTable.js';
import type { StoredWebhook } from '../webhooks/webhookTable.js';
import type { PrintAtOnce, SlipPaperName } from '../sites/sitePrinting.js';
import type { WifiKind } from '../sites/wifi.js';
import type { SmsSettings } from '../sms/smsProvider.js';
import type { FileIdentityProvider } from './identityProviderInFile.js';
import type { FileOwnTexts } from './ownTextsInFile.js';
import { readPlainFile, type FieldPath, type PlainFile } from './strictYaml.js';
import { configurationSchema } from './configurationSchema.js';

/**
 * What is in a file of the configuration. Values that are secret are sealed; null where they were left out.
 * What else was left out is undefined or empty, and changes nothing.
 */
export interface Configuration {
  readonly controllers: readonly FileController[];
  readonly sites: readonly FileSite[];
  readonly profiles: readonly FileProfile[];
  readonly printers: readonly FilePrinter[];
  readonly webhooks: readonly FileWebhook[];
  readonly kiosks: readonly FileKiosk[];
  readonly orderLimits: readonly FileOrderLimit[];
  readonly settings?: FileSettings;
  readonly mailServer?: FileMailServer;
  readonly smsProvider?: FileSmsProvider;
  readonly identityProvider?: FileIdentityProvider;
  readonly ownTexts: readonly FileOwnTexts[];
  readonly branding?: FileBranding;
}

export interface FileController {
  readonly name: string;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credentials: string | null;
}

export interface FileSite {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  readonly controller: string;
  readonly controllerSite: string | null;
  readonly ssid?: string | null;
  readonly wifiKind?: WifiKind;
  readonly isWifiHidden?: boolean;
  readonly wifiPassword: string | null;
  readonly slipText?: string | null;
  readonly slipPaper?: SlipPaperName | null;
  readonly printAtOnce?: PrintAtOnce;
  /** The name of the receipt printer, for `printAtOnce: printer`. */
  readonly printer?: string | null;
  readonly defaultProfile?: string | null;
}

/** The ids of sites, or all of them. */
export type FileSites = 'all' | readonly number[];

export interface FileProfile
  extends
    Omit<Profile, 'id' | 'siteIds' | 'position' | 'isDefault'>,
    Partial<Pick<Profile, 'position' | 'isDefault'>> {
  readonly sites: FileSites;
}

export interface FilePrinter extends Omit<Printer, 'id' | 'siteIds'> {
  readonly sites: FileSites;
}

export interface FileWebhook extends Pick<StoredWebhook, 'name' | 'active' | 'reportsControllers'> {
  readonly format: string;
  readonly language: string;
  readonly address: string | null;
  /** What it signs with; also null for a format that does not sign. */
  readonly secret: string | null;
}

/** A kiosk with the names of profiles and printers. Its token itself is stored nowhere. */
export interface FileKiosk
  extends
    Pick<StoredKiosk, 'tokenHash' | 'perHour' | 'asksName'>,
    Partial<
      Omit<KioskValues, 'siteId' | 'profileId' | 'moreProfileIds' | 'perHour' | 'asksName' | 'printerId'>
    > {
  readonly site: number;
  readonly profile: string;
  readonly moreProfiles?: readonly string[];
  readonly printer?: string | null;
}

/** What a role may order. */
export interface FileOrderLimit extends Omit<OrderLimitValues, 'siteId'> {
  /** Null for all sites. */
  readonly site: number | null;
}

/** A rule of a file, as it is stored. */
export const toOrderLimitValues = ({ site, ...limit }: FileOrderLimit): OrderLimitValues => ({
  ...limit,
  siteId: site,
});

export interface FileSettings {
  readonly secondFactorRoles: readonly ('admin' | 'staff' | 'viewer')[];
}

export interface FileMailServer extends Omit<MailServerInput, 'password'> {
  readonly password: string | null;
}

export interface FileSmsProvider extends SmsSettings {
  readonly secret: string | null;
}

/** How the web UI looks. Pictures are in base64; what was left out stays as it is. */
export interface FileBranding {
  readonly title: string | null;
  readonly colour: string | null;
  readonly logo?: string | null;
  readonly icon?: string | null;
}

/** A file that was read, and how to refuse a part of it. */
export interface ReadConfiguration {
  readonly configuration: Configuration;
  /** Undefined when the file holds no secrets. */
  readonly sealing: PassPhraseSealing | undefined;
  readonly refuse: PlainFile['refuse'];
}

interface RawFile extends Partial<Configuration> {
  readonly sealing?: { readonly salt: string; readonly cost: number; readonly check: string };
}

const none: Configuration = {
  controllers: [],
  sites: [],
  profiles: [],
  printers: [],
  webhooks: [],
  kiosks: [],
  orderLimits: [],
  ownTexts: [],
};

/** Parses a file. Throws `ConfigurationError` with the line of what is wrong. */
export const parseConfiguration = (content: string, file: string): ReadConfiguration => {
  const { content: value, refuse } = readPlainFile(content, file);
  if (value === null) throw new ConfigurationError('file-invalid', `${file}: the file is empty`);
  const validate = new Ajv({ allowUnionTypes: true }).compile<RawFile>(configurationSchema);
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    return error ? refuse(pathOf(error), describeError(error)) : refuse([], 'invalid');
  }
  const { sealing } = value;
  if (sealing && !isAllowedCost(sealing.cost)) refuse(['sealing', 'cost'], 'a cost that is not supported');
  return {
    configuration: { ...none, ...withNulls(value) },
    sealing: sealing && { ...sealing, salt: Buffer.from(sealing.salt, 'base64') },
    refuse,
  };
};

/** Secrets that were left out are null, and so is the site of a controller that has only one. */
const withNulls = ({
  controllers,
  sites: places,
  webhooks,
  mailServer,
  smsProvider,
  identityProvider,
  ...others
}: RawFile): Partial<Configuration> => ({
  ...others,
  ...(mailServer && { mailServer: fill(mailServer, { password: null }) }),
  ...(identityProvider && { identityProvider: fill(identityProvider, { clientSecret: null }) }),
  ...(smsProvider && { smsProvider: fill(smsProvider, { secret: null }) }),
  ...(controllers && { controllers: controllers.map((one) => fill(one, { credentials: null })) }),
  ...(places && {
    sites: places.map((one) => fill(one, { controllerSite: null, wifiPassword: null })),
  }),
  ...(webhooks && {
    webhooks: webhooks.map((one) => fill(one, { reportsControllers: false, address: null, secret: null })),
  }),
});

/** A part of a file, with what was left out of it. */
const fill = <T>(part: T, leftOut: Partial<T>): T => ({ ...leftOut, ...part });

const pathOf = ({ instancePath, params }: ErrorObject): FieldPath => {
  const steps = instancePath.split('/').slice(1);
  const { additionalProperty } = params as { additionalProperty?: string };
  return additionalProperty === undefined ? steps : [...steps, additionalProperty];
};

const describeError = ({ instancePath, keyword, params, message }: ErrorObject): string => {
  // Where it is says the line. The name of a field says what it is about, the number of an entry nothing.
  const field = instancePath.split('/').at(-1) ?? '';
  const at = /^\d*$/.test(field) ? '' : `${field}: `;
  const { additionalProperty, allowedValue, allowedValues } = params as Record<string, unknown>;
  switch (keyword) {
    case 'additionalProperties':
      return `${at}unknown field "${String(additionalProperty).slice(0, 40)}"`;
    case 'const':
      return `${at}must be ${JSON.stringify(allowedValue)}`;
    case 'enum':
      return `${at}must be one of ${(allowedValues as string[]).join(', ')}`;
    default:
      return `${at}${message ?? 'invalid'}`;
  }
};
