import { useState, type KeyboardEvent, type PointerEvent } from 'react';

/** Where something that is dragged would be put. */
interface Drag {
  readonly id: number;
  /** Its place among the others. */
  readonly to: number;
}

/** This close to the edge of the window, dragging scrolls. */
const edgePx = 60;
const scrollPx = 14;

const moveTo = (ids: readonly number[], id: number, to: number): number[] => {
  const others = ids.filter((other) => other !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
};

/** How many of the other rows are above the pointer. */
const placeAt = (handle: Element, y: number): number => {
  const row = handle.closest('tr');
  const others = [...(row?.parentElement?.children ?? [])].filter((other) => other !== row);
  return others.filter((other) => {
    const { top, height } = other.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
};

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Lets somebody put rows of a table in another order, by a handle in each: with a mouse or a finger, or with the arrow
 * keys. Rows stay where they are until one is dropped, so that the handle keeps pointer and focus.
 */
export const useReorder = (ids: readonly number[], onReorder: (ids: number[], moved: number) => void) => {
  const [drag, setDrag] = useState<Drag>();
  const move = (id: number, to: number): void => {
    if (to < 0 || to >= ids.length || to === ids.indexOf(id)) return;
    onReorder(moveTo(ids, id, to), id);
  };
  const handleProps = (id: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ id, to: ids.indexOf(id) });
    },
    onPointerMove: ({ currentTarget, clientY }: PointerEvent<HTMLElement>): void => {
      if (drag?.id !== id) return;
      if (clientY < edgePx) scrollBy(0, -scrollPx);
      if (clientY > innerHeight - edgePx) scrollBy(0, scrollPx);
      setDrag({ id, to: placeAt(currentTarget, clientY) });
    },
    onPointerUp: ({ currentTarget, clientY }: PointerEvent<HTMLElement>): void => {
      if (drag?.id === id) move(id, placeAt(currentTarget, clientY));
      setDrag(undefined);
    },
    onPointerCancel: (): void => setDrag(undefined),
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
      if (event.key === 'Escape') setDrag(undefined);
      const step = steps[event.key];
      if (step === undefined) return;
      // Otherwise the page would scroll, too.
      event.preventDefault();
      event.stopPropagation();
      move(id, ids.indexOf(id) + step);
    },
  });
  /** Marks the row that is dragged, and the edge where it would be put. */
  const rowProps = (id: number): Readonly<Record<`data-${string}`, string>> => {
    if (!drag) return {};
    if (drag.id === id) return { 'data-dragged': '' };
    const place = moveTo(ids, drag.id, drag.to).indexOf(drag.id);
    if (place === ids.indexOf(drag.id)) return {};
    const others = ids.filter((other) => other !== drag.id);
    if (others[place] === id) return { 'data-drop': 'before' };
    return place === others.length && others.at(-1) === id ? { 'data-drop': 'after' } : {};
  };
  return { move, handleProps, rowProps };
};
