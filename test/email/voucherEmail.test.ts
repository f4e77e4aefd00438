import { expect, test } from '@jest/globals';
import { composeVoucherEmail } from '../../src/email/voucherEmail.js';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { toVoucherSlip } from '../../src/printing/voucherSlip.js';
import { someVoucher } from '../support/records.js';
import { closedWifi } from '../support/wifiNetworks.js';

test.each(guestLanguages)(
  '%s: no browser breaks the line inside of Wi-Fi, and the text is plain',
  (language) => {
    const texts = loadGuestTexts(language);
    const site = { name: 'Hotel Wi-Fi', slipText: null, logo: undefined };
    const network = closedWifi('Wi-Fi Gast', 'Wi-Fi2026');
    const { html, text } = composeVoucherEmail(
      toVoucherSlip(someVoucher(), { ...site, network }, texts),
      texts,
    );
    const kept = html
      .replaceAll('<span style="white-space:nowrap">Wi-Fi</span>', '')
      .replaceAll(/alt="[^"]*"|<title>.*<\/title>/g, '');
    expect(kept).not.toContain('Wi-Fi');
    expect(text).toContain('Wi-Fi2026');
    expect(text).not.toContain('<');
  },
);

test.each(['en', 'fr', 'nl', 'pt', 'pt-BR'] as const)(
  '%s: the sentence after the greeting begins as any',
  (language) => {
    expect(loadGuestTexts(language).get('emailIntro')).toMatch(/^\p{Lu}/u);
  },
);
