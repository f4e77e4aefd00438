import { describe, expect, test } from '@jest/globals';
import { fillTemplate } from '../../src/lib/textTemplate.js';

describe('fillTemplate', () => {
  test('puts values in braces', () => {
    expect(fillTemplate('Dem Schlüssel fehlt der Scope {scope}', { scope: 'write' })).toBe(
      'Dem Schlüssel fehlt der Scope write',
    );
  });
  test('leaves braces without a value as they are', () => {
    expect(fillTemplate('{a} {b}', { a: '1' })).toBe('1 {b}');
  });
  test('does not look for braces in a value', () => {
    expect(fillTemplate('{message}', { message: '{message} $& $1' })).toBe('{message} $& $1');
  });
  test('takes nothing that every object has', () => {
    expect(fillTemplate('{constructor}', {})).toBe('{constructor}');
  });
});
