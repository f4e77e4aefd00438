import { api } from './api.ts';
import type { Schemas } from './schemas.ts';
import { basePath, documentBranding } from './serviceMeta.ts';

export type Brand = Schemas['Branding'];

const own: Brand = { title: null, colour: null, palette: null, logo: null, icon: null };

const readDocument = (): Brand => {
  try {
    return { ...own, ...(JSON.parse(documentBranding) as Partial<Brand>) };
  } catch {
    // A document that the service has not filled in.
    return own;
  }
};

const ofDocument = readDocument();

/** Kiosks and the sign-in get no events, and may be open for months. */
const refetchMs = 600_000;

/** How the pages look: at first as the document says, so nothing is waited for, later as it was changed meanwhile. */
export const useBrand = (): Brand =>
  api.useQuery(
    'get',
    '/branding',
    {},
    { initialData: ofDocument, staleTime: Infinity, refetchInterval: refetchMs, retry: false },
  ).data ?? ofDocument;

export const brandPictureUrl = (version: string): string => `${basePath}/web/branding/pictures/${version}`;
