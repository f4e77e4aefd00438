import { expect, test } from '@jest/globals';
import { composeVoucherEmail } from '../../src/email/voucherEmail.js';
import { escapeHtml } from '../../src/email/escapeHtml.js';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { toVoucherSlip } from '../../src/printing/voucherSlip.js';
import { slipIn } from '../soak/printed/pieces.js';
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

test.each(guestLanguages)(
  '%s: as text, too, it holds all that a guest needs, whatever the texts of the site',
  (language) => {
    const texts = loadGuestTexts(language);
    for (const filling of ['limited', 'longest', 'own'] as const) {
      const slip = slipIn(language, filling);
      const { text, html } = composeVoucherEmail(slip, texts);
      const needed = [
        ...[slip.formattedCode, slip.network!.ssid, slip.password!.text, slip.validity, slip.uses],
        ...slip.limits!.split('\n'),
      ];
      expect(needed).toHaveLength(8);
      for (const part of needed) {
        expect([filling, text]).toEqual([filling, expect.stringContaining(part)]);
        const shown = keepWifi(escapeHtml(part));
        expect([filling, html]).toEqual([filling, expect.stringContaining(shown)]);
      }
    }
  },
);

/** As the HTML has it. */
const keepWifi = (text: string): string =>
  text.replaceAll('Wi-Fi', '<span style="white-space:nowrap">Wi-Fi</span>');

test.each(['en', 'fr', 'nl', 'pt', 'pt-BR'] as const)(
  '%s: the sentence after the greeting begins as any',
  (language) => {
    expect(loadGuestTexts(language).get('emailIntro')).toMatch(/^\p{Lu}/u);
  },
);
