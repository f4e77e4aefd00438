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
    throw new ControllerError('unreadable', `Die Antwort des Controllers „${name}“ ist nicht lesbar`);
  return { items: data.map(fieldsOf), total };
};

/**
 * Everything in a list that may change while it is read. A page may be shorter than was asked for. When something was
 * deleted meanwhile, what came after it has moved up, over the border of a page: that much is read again. Nothing is
 * given out twice.
 */
export const readAll = async function* (ask: AskPage): AsyncGenerator<Fields> {
  const given = new Set<unknown>();
  let offset = 0;
  let before = 0;
  for (;;) {
    const { items, total } = await ask(offset);
    for (const item of items) {
      if (given.has(item['id'])) continue;
      given.add(item['id']);
      yield item;
    }
    const gone = Math.max(0, before - total);
    if (gone === 0 && (items.length === 0 || offset + items.length >= total)) return;
    offset = Math.max(0, offset + (gone > 0 ? 0 : items.length) - gone);
    before = total;
  }
};
