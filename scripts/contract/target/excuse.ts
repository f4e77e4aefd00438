export interface Excuse {
  /** Why something cannot be tried here, for the reader of the report. */
  readonly excuse: string;
}

export const isExcuse = (value: object): value is Excuse => 'excuse' in value;
