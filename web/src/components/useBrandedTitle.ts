import { useDocumentTitle } from '@mantine/hooks';
import { useBrand } from '../api/brand.ts';

/** Names the document by its page and the title of the web UI, as tabs and the history of a browser show it. */
export const useBrandedTitle = (page: string): void => {
  const { title } = useBrand();
  useDocumentTitle(`${page} · ${title ?? 'voucherd'}`);
};

/** The same for guests, who need not know what runs the page. */
export const useGuestTitle = (page: string): void => {
  const { title } = useBrand();
  useDocumentTitle(title === null ? page : `${page} · ${title}`);
};
