import { fieldsOf, numberOf, type Fields } from '../connection/reading.js';
import { ControllerError } from '../controller.js';

/** A page of a list; `more` is what else the query says. */
export interface Page {
  readonly items: readonly Fields[];
  /** How many there are altogether. */
  readonly total: number;
}

export type AskPage = (offset: number) => Promise<Page>;

export const readPage = (name: string, json: unknown): Page => {
  const { data, totalCount } = fieldsOf(json);
  const total = numberOf(totalCount);
  if (!Array.isArray(data) || total === undefined)
    throw new ControllerError(name, { trouble: 'unreadable', reason: 'answer' });
  return { items: data.map(fieldsOf), total };
};

/** How often a list is begun anew that changes while it is read. */
const mostTries = 5;

/**
 * Everything in a list that may change while it is read. A page may be shorter than was asked for. Each begins with
 * the last item of the one before: when that is not on it, something was deleted and the rest has moved up, over the
 * border of a page, so the list is begun anew. Nothing is given out twice.
 */
export const readAll = async function* (name: string, ask: AskPage): AsyncGenerator<Fields> {
  const given = new Set<unknown>();
  let offset = 0;
  let seam: unknown;
  for (let tries = 1; ;) {
    const { items, total } = await ask(offset);
    if (seam !== undefined && !items.some((item) => keyOf(item) === seam)) {
      if (tries++ >= mostTries)
        throw new ControllerError(name, { trouble: 'unreadable', reason: 'list-changing' });
      [offset, seam] = [0, undefined];
      continue;
    }
    for (const item of items) {
      if (given.has(keyOf(item))) continue;
      given.add(keyOf(item));
      yield item;
    }
    const end = offset + items.length;
    if (end >= total) return;
    if (items.length === 0)
      throw new ControllerError(name, { trouble: 'unreadable', reason: 'list-incomplete' });
    // Of pages with one item each, none could hold anything new besides.
    const overlaps = items.length > 1;
    seam = overlaps ? keyOf(items.at(-1) ?? {}) : undefined;
    offset = overlaps ? end - 1 : end;
  }
};

/** A voucher may be listed without its id, but never without anything that tells it from others. */
const keyOf = ({ id, code }: Fields): unknown => id ?? code;
