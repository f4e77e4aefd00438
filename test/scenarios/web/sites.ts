import { runActor, type Administration } from '../local/administration.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { draftAudit } from '../../../src/audit/audit.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { guestLanguages } from '../../../src/i18n/guestLanguages.js';
import { ownTextNames } from '../../../src/sites/ownTexts.js';
import { allSites } from '../../../src/sites/ownTextTable.js';
import { nothing, optional, scenario, withBody } from './preparing.js';

/** Small pictures. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQI12OQSFkNRAwQCgAeBgSdSoOgkQAAAABJRU5ErkJggg==';
export const jpeg =
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJIBcU//2Q==';

const setLogo = async ({ sites }: Administration, image = png): Promise<void> =>
  sites.setLogo(1, image, runActor);

const withLogo: NonNullable<OperationHints['prepare']> = async (sample, { target: { fixture } }) => {
  if (fixture) await setLogo(fixture.administration());
  return sample;
};

export const updateSiteHints: OperationHints = {
  refusedWith: ['name-invalid', 'ssid-invalid', 'slip-text-invalid', 'wifi-password-invalid'],
  shownAs: {
    ssid: optional,
    slipText: (value) => optional(typeof value === 'string' ? value.replaceAll(/\r\n?/g, '\n') : value),
  },
  scenarios: {
    409: scenario('with a profile that does not exist', ({ sample }) =>
      withBody(sample, { defaultProfileId: nothing }),
    ),
  },
};

export const getLogoHints: OperationHints = {
  prepare: withLogo,
  moreScenarios: {
    200: scenario('of a JPEG picture', async ({ administration, sample }) => {
      await setLogo(administration, jpeg);
      return sample;
    }),
  },
};

export const deleteLogoHints: OperationHints = { prepare: withLogo };

const refusedTexts = ['own-text-invalid', 'placeholder-unknown'];

export const getTextsHints: OperationHints = {
  prepare: async (sample, { target: { fixture } }) => {
    const own = Object.fromEntries(ownTextNames.map((name) => [name, 'Willkommen']));
    const texts = Object.fromEntries(guestLanguages.map((language) => [language, own]));
    const audit = draftAudit(runActor, 'site.texts', nodeSystem.now());
    for (const siteId of [allSites, 1])
      await fixture?.administration().tables.ownTexts.set(siteId, texts, audit);
    return sample;
  },
};

export const updateTextsHints: OperationHints = {
  refusedWith: [...refusedTexts, 'changed-meanwhile'],
  scenarios: {
    409: scenario('with a text that is no longer what it was', ({ sample }) =>
      withBody(sample, { texts: { de: { slipHeading: 'Neu' } }, before: { de: { slipHeading: 'Alt' } } }),
    ),
  },
};

export const previewTextsHints: OperationHints = {
  refusedWith: [...refusedTexts, 'layout-invalid'],
  neverShown: {
    fields: /^200 (?:slip\.wifi\[\]|pdf$)/,
    because: 'the example site has no network and asks for no paper',
  },
  maxSamples: 20,
  moreScenarios: {
    200: scenario('with what can not be filled in', ({ sample }) =>
      withBody(sample, { texts: { slipText: '{nobody}' } }),
    ),
  },
};
