import type { BrandChange } from '../../../src/branding/branding.js';
import { makeBranding } from '../../../src/branding/branding.js';
import { nodeSystem } from '../../../src/lib/system.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { runActor, type Administration } from '../local/administration.js';
import { inPath, optional, scenario, withNew } from './preparing.js';
import { jpeg, png } from './sites.js';

const setBrand = ({ tables }: Administration, change: Partial<BrandChange>) =>
  makeBranding({ table: tables.brand, revisions: tables.revisions, clock: nodeSystem }).set(
    { title: null, colour: null, ...change },
    runActor,
  );

const addLogo = async (administration: Administration, logo: string): Promise<string> =>
  (await setBrand(administration, { logo })).logo?.version ?? '';

export const getBrandingHints: OperationHints = {
  prepare: async (sample, { target: { fixture } }) => {
    const brand = { title: 'Hotel am See', colour: '#7a1f3d', logo: png, icon: jpeg };
    if (fixture) await setBrand(fixture.administration(), brand);
    return sample;
  },
};

export const updateBrandingHints: OperationHints = {
  refusedWith: ['name-invalid', 'colour-invalid', 'image-invalid'],
  maxSamples: 20,
  shownAs: {
    title: optional,
    colour: (value) => (typeof value === 'string' ? value.toLowerCase() : value),
  },
};

export const getBrandPictureHints: OperationHints = {
  prepare: withNew('version', (administration) => addLogo(administration, png)),
  scenarios: {
    404: scenario('of a picture that does not exist', ({ sample }) =>
      inPath(sample, 'version', '0'.repeat(32)),
    ),
  },
};
