/** A change of one place in a file. */
interface SourceChange {
  /** Occurs once in the file. */
  readonly from: string;
  readonly to: string;
}

/** A mistake that a developer could make in the service, as a change of its source. */
export interface ServiceDefect extends SourceChange {
  readonly name: string;
  readonly file: string;
  /** A second place, where something was moved. */
  readonly also?: SourceChange;
  /** The contract that can show it; any if it is not said. */
  readonly contract?: 'openapi.yaml' | 'web.yaml';
  /** Of a large contract, the operations that can show it. One of them has a body, which 503 needs. */
  readonly operations?: readonly string[];
}

/** All places that a defect changes. */
export const changesOf = ({ from, to, also }: ServiceDefect): readonly SourceChange[] => [
  { from, to },
  ...(also ? [also] : []),
];
