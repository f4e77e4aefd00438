/** A place in a contract's file; lines and columns count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A contract that can't be used; the message begins with the place. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(
    /** What is wrong, without the place. */
    readonly what: string,
    readonly position: Position,
  ) {
    super(`${position.file}:${String(position.line)}:${String(position.column)}: ${what}`);
  }
}

/** Names of fields and indexes of lists that lead to a value in a contract. */
export type Path = readonly (string | number)[];

/** Refuses a contract for what stands at a place. */
export type Refuse = (path: Path, what: string) => never;
