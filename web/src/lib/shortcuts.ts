import { useEffect, useRef } from 'react';

type Shortcuts = Readonly<Record<string, () => void>>;

/** Where keys belong to: the page, or a dialog over it. */
export type ShortcutPlace = 'page' | 'dialog';

/** Whether what is pressed is meant for a field, or for a dialog or menu that lies over the place. */
const isForOther = (target: EventTarget | null, key: string, place: ShortcutPlace): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input:not([type=radio], [type=checkbox]), textarea, select') !== null ||
    // Arrows choose among radio buttons.
    (key.startsWith('Arrow') && target.closest('[type=radio]') !== null) ||
    document.querySelectorAll('[aria-modal=true], [role=menu]').length > (place === 'page' ? 0 : 1));

/** Keys of a place, by what they write, such as `n`, `?` or `ArrowDown`. Not while something is typed. */
export const useShortcuts = (shortcuts: Shortcuts, place: ShortcutPlace = 'page'): void => {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const run = latest.current[event.key];
      if (!run || isForOther(event.target, event.key, place)) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [place]);
};
