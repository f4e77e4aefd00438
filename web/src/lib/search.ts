/** The query of an address, not validated yet. */
export type RawSearch = Readonly<Record<string, unknown>>;

/** A text of an address; one that looks like a number was read as one. */
export const readText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

export const readId = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;

export const readChoice = <Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined => choices.find((choice) => choice === value);

/** A day as a date field writes it, such as 2026-11-14. */
export const readDay = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** The dialog that lies over a page, and the id of what it is about. Every page may have one. */
export interface DialogSearch {
  readonly dialog?: string | undefined;
  readonly id?: number | undefined;
}

export const readDialogSearch = ({ dialog, id }: RawSearch): DialogSearch => ({
  dialog: readText(dialog),
  id: readId(id),
});
