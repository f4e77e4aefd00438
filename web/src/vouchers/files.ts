import { useMutation } from '@tanstack/react-query';
import { client } from '../api/api.ts';
import type { Schemas } from '../api/schemas.ts';
import { useLanguage } from '../i18n/language.tsx';
import { toPageLanguage, type Language } from '../i18n/pageLanguages.ts';
import { useNotify } from '../notify/notify.tsx';

/** How vouchers are laid out where nobody has chosen anything else. */
export const usualLayout = {
  layout: 'sheet',
  paper: 'a4',
  columns: 2,
  rows: 5,
  hasCutMarks: true,
} as const satisfies Partial<Schemas['PrintRequest']>;

interface DownloadedFile {
  readonly blob: Blob;
  readonly name: string;
}

const save = ({ blob, name }: DownloadedFile): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

const nameIn = (response: Response, otherwise: string): string =>
  /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? otherwise;

const fetchSlips = async (body: Schemas['PrintRequest']): Promise<DownloadedFile> => {
  const { data, response } = await client.POST('/vouchers/slips', { body, parseAs: 'blob' });
  return { blob: data ?? new Blob(), name: nameIn(response, 'slips.pdf') };
};

const fetchTable = async (body: Schemas['VoucherSelection'], language: Language): Promise<DownloadedFile> => {
  const params = { query: { language: toPageLanguage(language) } };
  const { data, response } = await client.POST('/vouchers/exports', { params, body, parseAs: 'blob' });
  return { blob: data ?? new Blob(), name: nameIn(response, 'table.csv') };
};

/** Vouchers as a PDF, saved where the browser saves files. */
export const useSaveSlips = () => {
  const notify = useNotify();
  return useMutation({ mutationFn: fetchSlips, onSuccess: save, onError: notify.failed });
};

/** Vouchers as a table for other programs, saved where the browser saves files. */
export const useSaveTable = () => {
  const notify = useNotify();
  const { language } = useLanguage();
  return useMutation({
    mutationFn: (body: Schemas['VoucherSelection']) => fetchTable(body, language),
    onSuccess: save,
    onError: notify.failed,
  });
};
