import { expect, test } from '@jest/globals';
import { composeVoucherEmail, withPictures } from '../../src/email/voucherEmail.js';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { slipIn } from '../soak/printed/pieces.js';
import { describeInBrowser } from '../support/browser.js';
import { findAccessibilityIssues, untilDrawn } from '../support/pages.js';

const code = '88888-88888';

/** How many lines the code takes. */
const linesOfCode = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const at = texts.currentNode.data.indexOf('${code}');
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(texts.currentNode, at);
    range.setEnd(texts.currentNode, at + ${String(code.length)});
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  }
  return 0;
})()`;

describeInBrowser('an e-mail with the longest texts', (browser) => {
  test.each(guestLanguages)(
    '%s: fits on phones, its code is whole, and it is accessible',
    async (language) => {
      const texts = loadGuestTexts(language);
      // Nothing is asked for: pictures are part of the e-mail.
      const { page } = await browser.open({ url: 'http://127.0.0.1' });
      for (const filling of ['longest', 'own'] as const) {
        const email = composeVoucherEmail(slipIn(language, filling), texts);
        await page.setContent(withPictures(email));
        for (const width of [320, 900]) {
          await page.setViewportSize({ width, height: 900 });
          await untilDrawn(page);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          const lines = await page.evaluate(linesOfCode);
          expect({ filling, width, overflow, lines }).toEqual({ filling, width, overflow: 0, lines: 1 });
        }
        expect(await page.locator('html').getAttribute('dir')).toBe(language === 'fa' ? 'rtl' : 'ltr');
        expect(await findAccessibilityIssues(page, 'all')).toEqual([]);
        expect(email.text).toContain(code);
      }
    },
  );
});
