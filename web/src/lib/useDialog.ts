import { useNavigate, useSearch } from '@tanstack/react-router';
import type { DialogSearch, RawSearch } from './search.ts';

interface OpenDialog {
  /** Which dialog is open; undefined while there is none. */
  readonly dialog: string | undefined;
  /** What it is about, where it is about one item of a list. */
  readonly id: number | undefined;
  open(dialog: string, id?: number): void;
  close(): void;
}

/** The dialog that the address names: a link opens it, a reload keeps it, and Back closes it. */
export const useDialog = (): OpenDialog => {
  const navigate = useNavigate();
  const { dialog, id } = useSearch({ strict: false });
  const show = (shown: DialogSearch, replace: boolean): void =>
    void navigate({
      to: '.',
      search: (search: RawSearch) => ({ ...search, dialog: undefined, id: undefined, ...shown }),
      replace,
      resetScroll: false,
    });
  return {
    dialog,
    id,
    open: (name, itemId) => show({ dialog: name, id: itemId }, false),
    close: () => show({}, true),
  };
};
