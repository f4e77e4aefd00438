/** The same in both languages of the pages. */
export interface Texts {
  readonly de: string;
  readonly en: string;
}
