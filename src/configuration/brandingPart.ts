import type { Tables } from '../app/tables.js';
import { draftAudit } from '../audit/audit.js';
import { summarizeBrand, toBrandPictures, toBrandValues } from '../branding/branding.js';
import { Refusal } from '../errors/problem.js';
import type { FileBranding } from './configurationFile.js';
import { findDifferences, toExistingStep, toNewStep, type ImportStep, type PlanDeps } from './importStep.js';

/** How the web UI looks; undefined while it looks as it does by itself. */
export const exportBranding = async ({ brand }: Pick<Tables, 'brand'>): Promise<FileBranding | undefined> => {
  const { title, colour, logo, icon } = await brand.get();
  if (title === null && colour === null && !logo && icon === null) return undefined;
  const pictureOf = async (version: string | null | undefined): Promise<string | null> => {
    const picture = version ? await brand.findPicture(version) : undefined;
    return picture?.image.toString('base64') ?? null;
  };
  return { title, colour, logo: await pictureOf(logo?.version), icon: await pictureOf(icon) };
};

/** There is one branding. Where nobody has set any, it replaces nothing. */
export const planBranding = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const { branding } = deps.file;
  if (!branding) return [];
  const { brand } = deps.tables;
  const stored = await exportBranding(deps.tables);
  const values = toBrandValues(branding);
  const { logo, icon } = branding;
  const step = { part: 'branding', name: values.title ?? 'voucherd' } as const;
  const apply = async (): Promise<void> => {
    const pictures = await readPictures(deps, {
      ...(logo !== undefined && { logo }),
      ...(icon !== undefined && { icon }),
    });
    const detail = summarizeBrand(values, pictures);
    await brand.set(values, pictures, draftAudit(deps.actor, 'setting.branding', deps.at, detail));
  };
  if (!stored) return [toNewStep(step, apply)];
  const fields = findDifferences({ ...values, logo, icon }, { logo: null, icon: null, ...stored });
  return [toExistingStep(deps, { ...step, fields }, apply)];
};

const readPictures = async (
  deps: PlanDeps,
  given: Pick<FileBranding, 'logo' | 'icon'>,
): ReturnType<typeof toBrandPictures> => {
  try {
    return await toBrandPictures(given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return deps.refuse(['branding'], error.message);
  }
};
