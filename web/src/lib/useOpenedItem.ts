import { useState } from 'react';

interface Opened {
  readonly dialog: string | undefined;
  readonly id: number | undefined;
}

/**
 * The item of a list that a dialog is about, as it was when the dialog opened. What others change or remove meanwhile
 * must not look like a change that is made here, and must not close the dialog.
 */
export const useOpenedItem = <T extends { readonly id: number }>(
  { dialog, id }: Opened,
  items: readonly T[] | undefined,
): T | undefined => {
  const [opened, setOpened] = useState<{ readonly dialog: string; readonly item: T }>();
  if (dialog === undefined || id === undefined) {
    if (opened) setOpened(undefined);
    return undefined;
  }
  if (opened?.dialog === dialog && opened.item.id === id) return opened.item;
  const item = items?.find((one) => one.id === id);
  if (item) setOpened({ dialog, item });
  return item;
};
