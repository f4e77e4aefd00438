import { expect, test } from '@jest/globals';
import { composeAccountEmail } from '../../src/email/accountEmail.js';
import { pageLanguages } from '../../src/i18n/language.js';

const invitation = { kind: 'invitation', invitedBy: 'Jonas' } as const;
const subjectIn = (language: (typeof pageLanguages)[number], title: string | null): string =>
  composeAccountEmail(invitation, language, {
    ...{ name: 'Ada', url: 'https://wifi.example.org', link: undefined, time: '12:00' },
    brand: { title, linkColour: null, logo: null },
  }).subject;

test.each(pageLanguages)('the subject of an invitation in %s has the title of the web UI', (language) => {
  expect(subjectIn(language, 'Hotel am See')).toMatch(/^\S.* Hotel am See$/);
  expect(subjectIn(language, 'Hotel am See')).not.toContain('voucherd');
  expect(subjectIn(language, null)).toMatch(/ voucherd$/);
});
