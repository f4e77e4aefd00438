import type { Operation, Parameter } from '../../document/types.js';
import type { Note } from '../change.js';
import type { CompareBodies } from './operation.js';

/** Names of headers have no case. */
const same = (one: Parameter, other: Parameter): boolean =>
  one.in === other.in &&
  (one.in === 'header' ? one.name.toLowerCase() === other.name.toLowerCase() : one.name === other.name);

/** Parameters that went, came, or changed. */
export const compareParameters = (
  before: Operation,
  after: Operation,
  bodies: CompareBodies,
  note: Note,
): void => {
  for (const was of before.parameters) {
    const what = `the ${was.in} parameter '${was.name}'`;
    const is = after.parameters.find((parameter) => same(was, parameter));
    if (!is) {
      note('breaking', 'request-parameter-removed', `${what} was removed`, after.pointer);
      continue;
    }
    if (was.required !== is.required) {
      const text = `${what} ${is.required ? 'is now required' : 'is no longer required'}`;
      note(is.required ? 'breaking' : 'compatible', 'request-parameter-required-changed', text, is.pointer);
    }
    bodies('request', was, is, what);
  }
  for (const is of after.parameters.filter(
    (parameter) => !before.parameters.some((was) => same(was, parameter)),
  )) {
    const text = `the ${is.in} parameter '${is.name}' was added${is.required ? ' and is required' : ''}`;
    note(is.required ? 'breaking' : 'compatible', 'request-parameter-added', text, is.pointer);
  }
};
