import { toStoredLine } from '../../lib/label.js';

/** Collects what people have to know: `problems` stop the import, `notes` are told. */
export interface Findings {
  readonly problems: string[];
  readonly notes: string[];
}

const maxListed = 20;

/** `3, 7 and 9`, for messages. */
export const listIds = (items: readonly { readonly id: number }[]): string => {
  const ids = items.slice(0, maxListed).map(({ id }) => String(id));
  return ids.join(', ') + (items.length > maxListed ? ` and ${String(items.length - maxListed)} more` : '');
};

/** A name that can be shown, whatever the tool has stored. */
export const toShownName = (text: string, otherwise: string, maxLength = 255): string =>
  toStoredLine(text, maxLength) || otherwise;
