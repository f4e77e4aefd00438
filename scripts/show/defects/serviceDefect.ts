/** A mistake that a developer could make in the service, as one change of its source. */
export interface ServiceDefect {
  readonly name: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly from: string;
  readonly to: string;
}
