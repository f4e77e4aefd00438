import { useEffect, useLayoutEffect } from 'react';

/** Where the focus was last. For an item of a menu it is the button of the menu: the item is gone when it is needed. */
let last = document.activeElement;

addEventListener('focusin', ({ target }) => {
  // The content has the focus where nothing in it could have it.
  if (!(target instanceof HTMLElement) || target.id === 'content') return;
  const menu = target.closest('[role=menu]');
  last = (menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')) ?? target;
});

/** The page stays where it is. */
const focus = (element: Element | null): void => {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
};

/** Gives an element the focus that has gone with what had it. Before anybody had it, nothing is lost. */
export const focusIfLost = (element: Element | null | undefined): void => {
  if (document.activeElement === document.body && last !== document.body && last?.isConnected === false)
    focus(element ?? null);
};

/** Gives an element the focus that nothing has: what had it may still be there, disabled. */
export const focusIfNowhere = (element: Element | null): void => {
  if (document.activeElement === document.body) focus(element);
};

/** An element and what it lies in, as far as it can have the focus; the innermost comes first. */
const focusableAround = (element: Element | null): Element[] => {
  const places: Element[] = [];
  for (let place = element; place; place = place.parentElement?.closest('[tabindex]') ?? null)
    places.push(place);
  return places;
};

/**
 * Keeps the focus where the person is. While something lies over the page, what takes the focus with it when it goes
 * leaves it to the overlay; when the overlay closes, the element that opened it has the focus again, or what it lay in.
 */
export const useOverlayFocus = (): void => {
  useLayoutEffect(() => {
    const places = focusableAround(last);
    return () => {
      // What closes an overlay may have focused something else already.
      if (document.activeElement?.closest('#content')) return;
      focus(places.find(({ isConnected }) => isConnected) ?? document.getElementById('content'));
    };
  }, []);
  // After each render: a step of a wizard that follows another one takes its buttons away.
  useEffect(() => {
    focusIfNowhere(document.querySelector('[role=dialog]'));
  });
};
