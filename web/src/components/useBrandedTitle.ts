import { useDocumentTitle } from '@mantine/hooks';
import { useBrand } from '../api/brand.ts';

/**
 * Names the document by its page and the title of the web UI, as tabs and the history of a browser show it: with how many
 * guests wait, where some do.
 */
export const useBrandedTitle = (page: string, waiting = 0): void => {
  const { title } = useBrand();
  useDocumentTitle(`${waiting > 0 ? `(${String(waiting)}) ` : ''}${page} · ${title ?? 'voucherd'}`);
};

/** The same for guests, who need not know what runs the page. */
export const useGuestTitle = (page: string): void => {
  const { title } = useBrand();
  useDocumentTitle(title === null ? page : `${page} · ${title}`);
};
