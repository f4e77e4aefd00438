import type { GuestTexts } from '../i18n/guestTexts.js';
import type { OwnTexts } from '../sites/ownTexts.js';

/**
 * The texts that stand where a site has none of its own,
 * with their placeholders. Those that are missing are empty.
 */
export const standardTextsOf = (texts: GuestTexts): OwnTexts => ({
  slipHeading: '{site}',
  slipSteps: toSteps(texts, [texts.get('stepJoin', { network: '{wifi}' }), texts.get('stepEnter')]),
  emailSubject: texts.get('emailSubject', { site: '{site}' }),
  emailText: `${texts.get('emailGreeting')}\n\n${texts.get('emailIntro', { site: '{site}' })}`,
});

/** Numbered lines. */
export const toSteps = ({ number }: Pick<GuestTexts, 'number'>, steps: readonly string[]): string =>
  steps.map((step, index) => `${number(index + 1)}. ${step}`).join('\n');
