export interface Excuse {
  /** Why something can not be tried here, for a reader of the report. */
  readonly excuse: string;
}

export const isExcuse = (value: object): value is Excuse => 'excuse' in value;
