import { printingChoices, slipPaperNames } from '../sites/sitePrinting.js';
import { wifiKinds } from '../sites/wifi.js';
import { smsKinds } from '../config/smsEnvironment.js';
import { count, flag, list, name, object, optionalCount, sealed, sites, text } from './fileSchema.js';
import { identityProviderSchema } from './identityProviderInFile.js';
import { ownTextsSchema } from './ownTextsInFile.js';

export const formatName = 'configuration';
export const formatVersion = 1;

/** What a file may leave out. */
const kioskChoices = {
  name: { type: 'string', maxLength: 100 },
  moreProfiles: { type: 'array', maxItems: 11, items: name },
  requiresName: flag,
  sendsEmail: flag,
  sendsSms: flag,
  printer: text(100),
  idleSeconds: count(10, 600),
  backgroundColour: { type: ['string', 'null'], pattern: '^#[0-9a-fA-F]{6}$' },
  perDevice: { type: ['integer', 'null'], minimum: 1, maximum: 1000 },
  deviceMinutes: { enum: [5, 60, 1440] },
  slug: { type: ['string', 'null'], pattern: '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$' },
  needsApproval: flag,
};

const parts = {
  controllers: list(
    { name, kind: name, settings: { type: 'object', maxProperties: 20 }, credentials: sealed },
    ['credentials'],
  ),
  sites: list(
    {
      id: count(1),
      name,
      active: flag,
      controller: name,
      controllerSite: text(255),
      ssid: text(32),
      wifiKind: { enum: wifiKinds },
      isWifiHidden: flag,
      wifiPassword: sealed,
      slipText: text(4000),
      slipPaper: { enum: [null, ...slipPaperNames] },
      printAtOnce: { enum: printingChoices },
      printer: text(100),
      defaultProfile: text(100),
    },
    [
      ...['controllerSite', 'ssid', 'wifiKind', 'isWifiHidden', 'wifiPassword'],
      ...['slipText', 'slipPaper', 'printAtOnce', 'printer', 'defaultProfile'],
    ],
  ),
  profiles: list(
    {
      name,
      maxUses: count(1),
      expireMinutes: count(1),
      down: count(0),
      up: count(0),
      quotaMb: count(0),
      sites,
      position: optionalCount(0),
      isDefault: flag,
    },
    ['position', 'isDefault'],
  ),
  printers: list({
    name,
    host: { type: 'string', minLength: 1, maxLength: 253 },
    port: count(1, 65_535),
    paper: { enum: ['58mm', '80mm'] },
    sites,
  }),
  webhooks: list(
    {
      name,
      format: name,
      language: name,
      active: flag,
      reportsControllers: flag,
      address: sealed,
      secret: sealed,
    },
    ['reportsControllers', 'address', 'secret'],
  ),
  kiosks: list(
    {
      tokenHash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      site: count(1),
      profile: name,
      perHour: count(1, 10_000),
      asksName: flag,
      ...kioskChoices,
    },
    Object.keys(kioskChoices),
  ),
  orderLimits: list({
    role: name,
    site: optionalCount(1),
    allowsCustom: flag,
    maxExpireMinutes: optionalCount(1),
    maxUses: optionalCount(1),
    maxCount: optionalCount(1, 500),
    maxPerDay: optionalCount(0, 1_000_000),
    requiresName: flag,
  }),
  mailServer: object(
    {
      host: { type: 'string', minLength: 1, maxLength: 253 },
      port: count(1, 65_535),
      security: { enum: ['tls', 'starttls', 'opportunistic'] },
      user: text(254),
      from: { type: 'string', minLength: 3, maxLength: 254 },
      password: sealed,
    },
    ['password'],
  ),
  smsProvider: object(
    {
      kind: { enum: smsKinds },
      url: { type: 'string', minLength: 1, maxLength: 2000 },
      user: text(254),
      secret: sealed,
      from: text(40),
      method: { enum: ['POST', 'PUT', 'GET'] },
      headers: { type: 'string', maxLength: 2000 },
      format: { enum: ['json', 'form'] },
      body: { type: 'string', maxLength: 4000 },
      sentText: text(200),
      countryCode: { type: ['string', 'null'], pattern: '^[1-9][0-9]{0,2}$' },
      allowedCodes: {
        type: 'array',
        maxItems: 100,
        items: { type: 'string', pattern: '^[1-9][0-9]{0,6}$' },
      },
      maxPerDay: count(1, 100_000),
    },
    ['secret'],
  ),
  identityProvider: identityProviderSchema,
  ownTexts: ownTextsSchema,
  branding: object({ title: text(160), colour: text(7), logo: text(349_528), icon: text(349_528) }, [
    'logo',
    'icon',
  ]),
  settings: object({
    secondFactorRoles: {
      type: 'array',
      maxItems: 3,
      uniqueItems: true,
      items: { enum: ['admin', 'staff', 'viewer'] },
    },
  }),
};

/** The schema of a file. */
export const configurationSchema = object(
  {
    voucherd: { const: formatName },
    version: { const: formatVersion },
    sealing: object({
      salt: { type: 'string', pattern: '^[A-Za-z0-9+/]{22}==$' },
      cost: { type: 'integer' },
      check: sealed,
    }),
    ...parts,
  },
  ['sealing', ...Object.keys(parts)],
);
