import { expect, test } from '@jest/globals';
import { noteAddress, noteWritten, startFilter, type FilterState } from '../../web/src/lib/filterState.js';

interface TextFilter {
  readonly text?: string;
}

const type = (state: FilterState<TextFilter>, text: string): FilterState<TextFilter> => ({
  ...state,
  typed: { text },
});
const write = (state: FilterState<TextFilter>): FilterState<TextFilter> =>
  noteWritten(state, JSON.stringify(state.typed));

test('what is typed stays while earlier letters arrive in the address one after the other', () => {
  let state = startFilter<TextFilter>({});
  for (const text of ['r', 'ro']) state = write(type(state, text));
  state = type(state, 'roo');
  for (const text of ['r', 'ro']) {
    const { isOwn, ...next } = noteAddress(state, { text });
    expect(isOwn).toBe(true);
    state = next;
  }
  expect(state.typed).toEqual({ text: 'roo' });
});

test('an address that skips a letter is still our own, and what it skipped is not waited for', () => {
  let state = startFilter<TextFilter>({});
  for (const text of ['r', 'ro']) state = write(type(state, text));
  state = noteAddress(state, { text: 'ro' });
  expect(noteAddress(state, { text: 'r' })).toMatchObject({ isOwn: false, typed: { text: 'r' } });
});

test('after Back the address replaces what is typed', () => {
  let state = write(type(startFilter<TextFilter>({}), 'r'));
  state = type(noteAddress(state, { text: 'r' }), 'room');
  expect(noteAddress(state, {})).toMatchObject({ isOwn: false, typed: {}, written: [] });
});

test('the same text written again does not make a later Back look like our own', () => {
  let state = write(type(startFilter<TextFilter>({}), 'r'));
  state = write(noteAddress(state, { text: 'r' }));
  expect(state.written).toEqual([]);
});
