import { useNavigate, useRouter, type HistoryState } from '@tanstack/react-router';
import type { RawSearch } from './search.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Is the entry before this one the page without what lies over it? */
    readonly isOverlay?: true;
  }
}

interface Overlay {
  /** Opens what the address names: another entry of the history, so that Back closes it. */
  show(search: RawSearch): void;
  /** Closes it. `search` takes its names out of the address. */
  hide(search: RawSearch): void;
}

/** The browser goes back a moment later: until then, closing once more would leave the page itself. */
let isLeaving = false;

/**
 * What lies over a page and stands in its address, such as a dialog. Closing it goes back to the entry before it was
 * opened: otherwise the history would have the page twice, and Back would seem to do nothing. One that was opened by
 * a link has no such entry.
 */
export const useOverlay = (): Overlay => {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOverlay = (): boolean => (history.location.state as HistoryState).isOverlay === true;
  const go = (
    search: RawSearch,
    target: { readonly replace: boolean; readonly state?: HistoryState; readonly ignoreBlocker?: boolean },
  ): void =>
    void navigate({
      to: '.',
      search: (known: RawSearch) => ({ ...known, ...search }),
      resetScroll: false,
      ...target,
    });
  return {
    // From one to the next, as from one voucher to another, is not a step of its own.
    show: (search) => go(search, { replace: isOverlay(), state: { isOverlay: true } }),
    hide: (search) => {
      // Who closes it has been asked about what was typed, where that is needed.
      if (!isOverlay()) go(search, { replace: true, ignoreBlocker: true });
      else if (!isLeaving) {
        isLeaving = true;
        window.addEventListener('popstate', () => (isLeaving = false), { once: true });
        history.back({ ignoreBlocker: true });
      }
    },
  };
};
