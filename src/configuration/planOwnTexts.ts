import { draftAudit } from '../audit/audit.js';
import { toOwnTexts, withOwnTexts, type OwnTexts, type OwnTextsByLanguage } from '../sites/ownTexts.js';
import { allSites } from '../sites/ownTextTable.js';
import { toExistingStep, toNewStep, type ImportStep, type PlanDeps } from './importStep.js';

/**
 * Own texts are compared one by one. What the file leaves out stays as it is, and an empty text is removed.
 */
export const planOwnTexts = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { ownTexts } = deps.tables;
  const stored = await ownTexts.all();
  return deps.file.ownTexts.map(({ site, texts: given }): ImportStep => {
    const id = site ?? allSites;
    const known = stored.get(id) ?? {};
    const texts = toOwnTexts(withOwnTexts(known, given));
    const step = {
      part: 'ownTexts',
      name: site === null ? 'all sites' : `site ${String(site)}`,
    } as const;
    const apply = async (): Promise<void> => {
      const detail = { language: Object.keys(texts).sort().join(', ') };
      await ownTexts.set(id, texts, draftAudit(deps.actor, 'site.texts', deps.at, detail));
    };
    const fields = differencesOf(known, texts);
    if (!stored.has(id) && fields.length > 0) return toNewStep(step, apply);
    return toExistingStep(deps, { ...step, fields }, apply);
  });
};

const entriesOf = (texts: OwnTextsByLanguage): [string, OwnTexts][] => Object.entries(texts);

const differencesOf = (known: OwnTextsByLanguage, wanted: OwnTextsByLanguage): string[] => {
  const flatten = (texts: OwnTextsByLanguage): Map<string, string> =>
    new Map(
      entriesOf(texts).flatMap(([language, own]) =>
        Object.entries(own).map(([name, text]) => [`${language}.${name}`, text] as const),
      ),
    );
  const [before, after] = [flatten(known), flatten(wanted)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((field) => before.get(field) !== after.get(field))
    .sort();
};
