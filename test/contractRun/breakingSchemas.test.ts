import { expect, test } from '@jest/globals';
import { compare, sentencesOf } from './changedContract.js';

const changes: readonly [what: string, from: string, to: string, sentence: string][] = [
  // Request fields
  [
    'a request field that is required all at once',
    'required: [name]',
    'required: [name, kind]',
    "breaking: POST /bees: property 'kind' of the request body is now required",
  ],
  [
    'a request field that is no longer required',
    'required: [name]',
    'required: []',
    "compatible: POST /bees: property 'name' of the request body is no longer required",
  ],
  [
    'a request field that is gone',
    '                kind: { type: string, enum: [queen, worker] }\n',
    '',
    "breaking: POST /bees: property 'kind' of the request body was removed",
  ],
  [
    'a new request field',
    '                kind:',
    '                other: { type: string }\n                kind:',
    "compatible: POST /bees: property 'other' of the request body was added",
  ],
  [
    'another type',
    'kind: { type: string',
    'kind: { type: integer',
    'breaking: POST /bees: property \'kind\' of the request body: type changed from "string" to "integer"',
  ],
  [
    'a wider type of a request',
    'size: { type: integer',
    'size: { type: number',
    'compatible: POST /bees: property \'size\' of the request body: type changed from "integer" to "number"',
  ],
  [
    'a longer minimum',
    'minLength: 1',
    'minLength: 2',
    "breaking: POST /bees: property 'name' of the request body: minLength tightened from 1 to 2",
  ],
  [
    'a bound where there was none',
    'kind: { type: string,',
    'kind: { type: string, maxLength: 5,',
    "breaking: POST /bees: property 'kind' of the request body: maxLength tightened from none to 5",
  ],
  [
    'a looser bound',
    'maxLength: 20',
    'maxLength: 30',
    "compatible: POST /bees: property 'name' of the request body: maxLength loosened from 20 to 30",
  ],
  [
    'a shorter list',
    'maxItems: 3',
    'maxItems: 2',
    "breaking: POST /bees: property 'tags' of the request body: maxItems tightened from 3 to 2",
  ],
  [
    'a pattern of elements',
    "pattern: '^a'",
    "pattern: '^b'",
    'breaking: POST /bees: an element of property \'tags\' of the request body: pattern changed from "^a" to "^b"',
  ],
  [
    'another default',
    'default: 6',
    'default: 4',
    "breaking: POST /bees: property 'legs' of the request body: default changed from 6 to 4",
  ],
  [
    'a value of a request that is gone',
    '[queen, worker]',
    '[queen]',
    'breaking: POST /bees: property \'kind\' of the request body: the value "worker" was removed',
  ],
  [
    'a new value of a request',
    '[queen, worker]',
    '[queen, worker, drone]',
    'compatible: POST /bees: property \'kind\' of the request body: the value "drone" was added',
  ],
  [
    'leniency that is gone',
    ', x-lenient: true',
    '',
    "breaking: GET /bees: the query parameter 'hive': x-lenient changed from true to none",
  ],
  [
    'a number at the beginning that no longer counts',
    ', x-leading-number: true',
    '',
    "breaking: POST /bees: property 'legs' of the request body: x-leading-number changed from true to none",
  ],
  [
    'a maximum that refuses all at once',
    ', x-above-maximum: maximum',
    '',
    'breaking: POST /bees: property \'legs\' of the request body: x-above-maximum changed from "maximum" to none',
  ],
  [
    'new leniency',
    'kind: { type: string,',
    'kind: { type: string, x-trim: true,',
    "compatible: POST /bees: property 'kind' of the request body: x-trim changed from none to true",
  ],
  [
    'a request that allows no other fields',
    'required: [name]',
    'additionalProperties: false\n              required: [name]',
    'breaking: POST /bees: the request body: fields that are not named are no longer allowed',
  ],
  // Responses
  [
    'a property of a response that is gone',
    '        died: { type: string, nullable: true }\n',
    '',
    "breaking: GET /bees: property 'died' of the 200 response was removed (and the same in all 2 operations that share it)",
  ],
  [
    'a property of a response that may be missing',
    'required: [id, born]',
    'required: [id]',
    "breaking: GET /bees: property 'born' of the 200 response is no longer required (and the same in all 2 operations that share it)",
  ],
  [
    'a property of a response that may be null',
    'state: { type: string,',
    'state: { type: string, nullable: true,',
    "breaking: GET /bees: property 'state' of the 200 response: may now be null (and the same in all 2 operations that share it)",
  ],
  [
    'a new property of a response',
    '        died:',
    '        size: { type: integer }\n        died:',
    "compatible: GET /bees: property 'size' of the 200 response was added (and the same in all 2 operations that share it)",
  ],
  [
    'a new value of a response',
    '[asleep, awake]',
    '[asleep, awake, away]',
    'breaking: GET /bees: property \'state\' of the 200 response: the value "away" was added (and the same in all 2 operations that share it)',
  ],
  [
    'a new code of an error',
    'enum: [gone]',
    'enum: [gone, lost]',
    'risky: GET /bees: property \'error\' of the 404 response: the value "lost" was added (and the same in all 2 operations that share it)',
  ],
  [
    'a looser bound deep in a response',
    'maximum: 4',
    'maximum: 5',
    "breaking: GET /bees: property 'wings' of property 'inner' of the 200 response: maximum loosened from 4 to 5 (and the same in all 2 operations that share it)",
  ],
  [
    'another format',
    'format: date-time',
    'format: date',
    'breaking: GET /bees: property \'born\' of the 200 response: format changed from "date-time" to "date" (and the same in all 2 operations that share it)',
  ],
];

test('what changes in fields of requests and answers is said with what it means for clients', () => {
  const said = changes.map(([what, from, to]) => [what, sentencesOf(compare([from, to]))]);
  expect(said).toEqual(changes.map(([what, , , sentence]) => [what, expect.arrayContaining([sentence])]));
});
