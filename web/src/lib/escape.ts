import { useEffect, useEffectEvent } from 'react';

/** What closes the dialogs that are open, the topmost last. */
const closers: (() => void)[] = [];

/** Menus and lists over a dialog close themselves; Mantine marks what has the focus in them. */
const isForMenu = (target: EventTarget | null): boolean =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';

addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape' && !event.isComposing && !isForMenu(event.target)) closers.at(-1)?.();
  },
  { capture: true },
);

/** Follows Escape in a dialog. Of several dialogs, only the topmost does: Mantine's own would all close at once. */
export const useEscape = (onEscape: () => void): void => {
  const run = useEffectEvent(onEscape);
  useEffect(() => {
    const closer = (): void => run();
    closers.push(closer);
    return () => void closers.splice(closers.indexOf(closer), 1);
  }, []);
};
