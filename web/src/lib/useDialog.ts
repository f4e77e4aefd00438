import { useSearch } from '@tanstack/react-router';
import { useOverlay } from './useOverlay.ts';

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
  const { dialog, id } = useSearch({ strict: false });
  const { show, hide } = useOverlay();
  return {
    dialog,
    id,
    open: (name, itemId) => show({ dialog: name, id: itemId }),
    close: () => hide({ dialog: undefined, id: undefined }),
  };
};
