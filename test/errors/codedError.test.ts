import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { CommandError } from '../../src/cli/io.js';
import { CodedError } from '../../src/errors/codedError.js';
import { Problem, Refusal } from '../../src/errors/problem.js';
import { root } from '../support/built.js';

test('an error has a code, a kind, a name and a text for the log', () => {
  const cause = new Error('socket');
  expect(new CommandError('unknown-site', 'there is no site 7')).toMatchObject({
    name: 'CommandError',
    code: 'unknown-site',
    kind: 'missing',
    message: 'there is no site 7',
  });
  expect(new Problem('server_error', {}, {}, cause)).toMatchObject({ code: 'server_error', cause });
  expect(new Refusal('busy', 'too many', 'busy')).toBeInstanceOf(CodedError);
});

test('a refusal becomes a problem with its code as the message', () => {
  expect(new Refusal('name-taken', 'taken').toProblem()).toMatchObject({
    code: 'refused',
    values: { message: 'name-taken' },
  });
  expect(new Refusal('unknown-key', 'none', 'missing').toProblem()).toMatchObject({ code: 'not_found' });
});

test('every error class of the service is one of the family', () => {
  const files = ['src', 'handlers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const direct = files.filter((file) =>
    /\bclass \w+(<[^{]*>)? extends (Error|TypeError|RangeError)\b/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(direct).toEqual([join('src', 'errors', 'codedError.ts')]);
});
