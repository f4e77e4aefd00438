import { expect, test } from '@jest/globals';
import type { GuestLanguage } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { toVoucherSlip, type SlipSite } from '../../src/printing/voucherSlip.js';
import { countSmsParts } from '../../src/sms/smsLength.js';
import { composeVoucherSms } from '../../src/sms/voucherSms.js';
import { someVoucher } from '../support/records.js';
import { closedWifi } from '../support/wifiNetworks.js';

const smsIn = (language: GuestLanguage, site: Partial<SlipSite> = {}): string =>
  composeVoucherSms(
    toVoucherSlip(
      someVoucher({ code: '1234567890', expireMinutes: 4320 }),
      {
        ...{ name: 'Hotel am See', slipText: null, logo: undefined },
        network: closedWifi('Hotel-Gast', '!sommer2026('),
        ...site,
      },
      loadGuestTexts(language),
    ),
  );

test('a long name of a site ends after a word', () => {
  const name = 'Gästehaus & Wellnesshotel „Zum Goldenen Löwen“ am See, Tagungszentrum';
  expect(smsIn('de', { name }).split('\n')[0]).toBe(
    'Gästehaus & Wellnesshotel "Zum Goldenen Löwen" am See...',
  );
  expect(smsIn('de', { name: 'w'.repeat(255) }).split('\n')[0]).toBe(`${'w'.repeat(59)}...`);
});

test('a password keeps the order of its characters in Persian', () => {
  expect(smsIn('fa')).toContain('\u2066!sommer2026(\u2069');
  expect(smsIn('de')).toContain('WLAN-Passwort: !sommer2026(\n');
});

test('French has a blank before the colon, and no character that halves an SMS', () => {
  const text = smsIn('fr', { name: 'Hôtel' }).replace('Hôtel', 'Hotel').replace("Code d'acc\u00E8s", 'Code');
  expect(text).toContain('Mot de passe Wi-Fi : !sommer2026(');
  expect(countSmsParts(text)).toBe(1);
});

test('a time in an own text does not halve what an SMS holds', () => {
  const text = smsIn('de', { own: { smsText: '{code}: {time}' } });
  expect(text).toBe('12345-67890: 3 Tage');
});
