import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { toBrandPictures } from '../../../src/branding/branding.js';
import { draftAudit } from '../../../src/audit/audit.js';
import { placeOfIdentityProvider } from '../../../src/auth/identityProvider.js';
import { commandLineActor } from '../../../src/cli/openTables.js';
import { placeOfMailServer } from '../../../src/email/mailServer.js';
import { placeOfSmsProvider } from '../../../src/sms/smsProvider.js';
import { connectionBinding, credentialsBinding, wifiBinding } from '../../../src/secrets/encryption.js';
import { openStoredSecrets } from '../../../src/secrets/secretKey.js';
import { openWebhook } from '../../../src/webhooks/webhooks.js';
import type { Ended } from '../../support/cli.js';
import type { CliFixture } from '../../support/cliFixture.js';
import { makeFolder } from '../../support/folder.js';
import { redJpeg, redPng } from '../../support/pictures.js';

export const apiKey = 'geheimerApiPlatzhalter5Lm';
export const webhookAddress = 'https://hooks.example.org/services/geheimerPlatzhalter7Uv';
export const wifiPassword = 'geheimesWlan;\\":4Kx';
export const phrases = { PHRASE: 'vier Pferde ziehen leise', OTHER_PHRASE: 'vier Pferde ziehen laut' };
export const withPhrase = ['--pass-phrase-env', 'PHRASE'];
const audit = draftAudit(commandLineActor, 'profile.add', 1);

const orderLimit = {
  ...{ allowsCustom: true, maxExpireMinutes: null, maxUses: null, maxCount: null, maxPerDay: null },
  requiresName: false,
};

/** Puts one of each part into a database. */
export const fillConfiguration = async (cli: CliFixture): Promise<void> => {
  await cli.add('Chat', 'slack', webhookAddress);
  await cli.add('Programm', 'generic', webhookAddress);
  for (const line of [
    'webhook disable Chat',
    'controller add --name Konsole --kind unifi --url https://192.168.1.1 --max-calls 8 --api-key-env K',
    'controller add --name Haus --kind simulated --latency-ms 5',
    'site add --name Hauptgebäude --controller Haus',
    'site add --name Nebengebäude --controller Konsole --controller-site abc',
    'site deactivate 2',
  ])
    expect([line, await cli.voucherd(...line.split(' '))]).toEqual([
      line,
      expect.objectContaining({ status: 0 }),
    ]);
  const { tables } = cli;
  const limits = { maxUses: 1, expireMinutes: 1440, down: 20_000, up: 5000, quotaMb: 0 };
  await tables.profiles.add({ name: 'Tagesgast', nameKey: 'tagesgast', ...limits, siteIds: [1] }, audit);
  const { seal } = openStoredSecrets({ secretKey: undefined, dataDir: cli.dataDir });
  await tables.sites.change(1, {
    ...{ ssid: 'Gäste: #1', slipText: 'Willkommen\nim "Haus"', defaultProfileId: 1 },
    ...{ wifiKind: 'wpa', isWifiHidden: true, sealedWifiPassword: seal(wifiPassword, wifiBinding(1)) },
  });
  const printer = {
    name: 'Empfang',
    nameKey: 'empfang',
    host: '192.168.1.50',
    port: 9100,
    paper: '80mm',
  } as const;
  await tables.printers.add({ ...printer, siteIds: null }, { ...audit, action: 'printer.add' });
  await tables.sites.change(1, { slipPaper: 'avery-5160', printAtOnce: 'printer', printerId: 1 });
  const kiosk = {
    ...{ tokenHash: 'ab'.repeat(32), siteId: 1, profileId: 1, perHour: 20, asksName: true, name: 'Foyer' },
    ...{
      moreProfileIds: [],
      requiresName: true,
      sendsEmail: true,
      sendsSms: true,
      printerId: 1,
      idleSeconds: 30,
    },
    ...{
      backgroundColour: '#2f6f4e',
      perDevice: 5,
      deviceMinutes: 5 as const,
      slug: 'foyer',
      needsApproval: true,
    },
  };
  await tables.kiosks.add({ ...kiosk, createdAt: 1, createdBy: 'Anna' }, 'Hauptgebäude', audit);
  await tables.profiles.reorder([1], await tables.profiles.revision(), audit);
  await tables.profiles.setDefault(1, audit);
  await tables.orderLimits.add({ ...orderLimit, role: 'kiosk', siteId: 1, maxPerDay: 50 }, audit);
  await tables.orderLimits.add({ ...orderLimit, role: 'staff', siteId: null, maxUses: 5 }, audit);
  await tables.settings.setSignInRules({ secondFactorRoles: ['admin'] }, audit);
  const server = { host: 'mail.example.org', port: 587, security: 'starttls', user: 'wifi' } as const;
  const secretFor = placeOfMailServer(server);
  const sealed = seal('geheim Mail 47', connectionBinding('mail', secretFor));
  const settings = { ...server, from: 'Hotel <wifi@example.org>' };
  await tables.connections.save('mail', settings, { secretFor, sealed }, audit);
  const place = placeOfSmsProvider(smsProvider);
  const token = { secretFor: place, sealed: seal('geheim SMS 47', connectionBinding('sms', place)) };
  await tables.connections.save('sms', smsProvider, token, audit);
  const provider = placeOfIdentityProvider(identityProvider);
  const clientSecret = seal('geheim Client 47', connectionBinding('single-sign-on', provider));
  await tables.connections.save(
    'single-sign-on',
    identityProvider,
    { secretFor: provider, sealed: clientSecret },
    audit,
  );
  await tables.ownTexts.set(0, { de: { slipHeading: 'Willkommen in {site}' } }, audit);
  await tables.ownTexts.set(
    1,
    { de: { kioskTitle: 'Hallo', kioskText: 'WLAN:\n{wifi}' }, 'pt-BR': { kioskTitle: 'Olá' } },
    audit,
  );
  const pictures = await toBrandPictures({
    logo: redPng(60, 20).toString('base64'),
    icon: redJpeg.toString('base64'),
  });
  await tables.brand.set({ title: 'Hotel am See', colour: '#7a1f3d' }, pictures, audit);
};

const identityProvider = {
  issuer: 'https://login.example.org/hotel',
  clientId: 'voucherd',
  name: 'Hotel-Konto',
  emailProof: 'domain',
  emailDomains: 'example.org',
} as const;

const smsProvider = {
  ...({ kind: 'http', url: 'https://sms.example.org/send', user: null, from: 'Hotel' } as const),
  method: 'POST',
  headers: 'X-Key: {secret}',
  format: 'json',
  body: '{"to":"{to}","text":"{text}"}',
  sentText: null,
  ...{ countryCode: '49', allowedCodes: ['49'], maxPerDay: 50 },
} as const;

/** What is in the tables that the file is about, with secrets open, without times. */
export const contentOf = async ({ tables, dataDir }: CliFixture) => {
  const secrets = openStoredSecrets({ secretKey: undefined, dataDir });
  const mail = await tables.connections.find('mail');
  const sms = await tables.connections.find('sms');
  const provider = await tables.connections.find('single-sign-on');
  return {
    controllers: (await tables.controllers.all()).map(({ sealedCredentials: sealed, ...controller }) => ({
      ...controller,
      credentials: sealed && secrets.open(sealed, credentialsBinding(controller)),
    })),
    sites: await tables.sites.details(),
    wifiPasswords: [...(await tables.sites.sealedWifiPasswords())].map(([id, sealed]) => [
      id,
      secrets.open(sealed, wifiBinding(id)),
    ]),
    profiles: await tables.profiles.all(),
    printers: await tables.printers.all(),
    webhooks: (await tables.webhooks.all()).map((stored) => openWebhook(stored, secrets)),
    kiosks: (await tables.kiosks.all()).map(({ createdAt: _, createdBy: _by, ...kiosk }) => kiosk),
    orderLimits: await tables.orderLimits.all(),
    rules: await tables.settings.signInRules(),
    branding: await tables.brand.get(),
    mailServer: mail && {
      ...mail.settings,
      password:
        mail.secret && secrets.open(mail.secret.sealed, connectionBinding('mail', mail.secret.secretFor)),
    },
    ownTexts: [...(await tables.ownTexts.all())],
    identityProvider: provider && {
      ...provider.settings,
      clientSecret:
        provider.secret &&
        secrets.open(provider.secret.sealed, connectionBinding('single-sign-on', provider.secret.secretFor)),
    },
    smsProvider: sms && {
      ...sms.settings,
      secret: sms.secret && secrets.open(sms.secret.sealed, connectionBinding('sms', sms.secret.secretFor)),
    },
  };
};

/** A folder for files, each with a name of its own. */
export interface FileFolder {
  readonly path: string;
  /** The name of a new file, with this text if it is given. */
  newFile(text?: string): string;
  remove(): Promise<void>;
}

export const makeFileFolder = async (): Promise<FileFolder> => {
  const folder = await makeFolder();
  let files = 0;
  return {
    path: folder.path,
    newFile: (text) => {
      const file = join(folder.path, `${String((files += 1))}.yaml`);
      if (text !== undefined) writeFileSync(file, text);
      return file;
    },
    remove: () => folder.remove(),
  };
};

interface Steps {
  readonly steps: readonly {
    part: string;
    name: string;
    outcome: string;
    fields: string[];
    todo: string | null;
  }[];
}
/** What an import with `--json` has done. */
export const outcomesOf = ({ out }: Ended): string[][] =>
  (JSON.parse(out) as Steps).steps.map(({ part, name, outcome }) => [part, name, outcome]);
