import { expect, test } from '@jest/globals';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { insertionPoints } from '../../tools/contract/src/generated/insertionPoints.js';
import { makeValueChoice } from '../../tools/contract/src/generated/valueChoice.js';
import { contract } from './stageRun.js';

/** An operation whose body has the same texts in three languages, and as many others as make a contract large. */
const languages = ['de', 'en', 'pl'];
const others = Array.from(
  { length: 10 },
  (_, index) => `
  /other${String(index)}:
    get:
      operationId: getOther${String(index)}
      x-scope: read
      responses: { '204': { description: Done } }`,
);
const large = parseContractModel(
  contract.source
    .replace(
      'paths:\n',
      `paths:
  /texts:
    post:
      operationId: setTexts
      x-scope: write
      requestBody:
        required: true
        x-max-bytes: 1024
        content:
          application/json:
            schema:
              type: object
              properties:
                de: { $ref: '#/components/schemas/Texts' }
                en: { $ref: '#/components/schemas/Texts' }
                pl: { $ref: '#/components/schemas/Texts' }
            example: { de: { heading: 'WLAN' } }
      responses: { '204': { description: Done } }${others.join('')}
`,
    )
    .replace(
      '  schemas:\n',
      `  schemas:\n    Texts: { type: object, properties: { heading: { type: string }, text: { type: string } } }\n`,
    ),
);

const candidates = [undefined, '"a"', '"b"', '"c"'].map((value) => ({ value, kind: value }));
const texts = insertionPoints(large.operation('setTexts'), {}).filter(({ name }) => name.includes('.'));

test('in a large contract a text of each language is tried, but only the first with all values', () => {
  expect(texts.map(({ name }) => name)).toEqual(
    languages.flatMap((language) => [`body ${language}.heading`, `body ${language}.text`]),
  );
  const choose = makeValueChoice(large);
  expect(texts.map((point) => choose(point, candidates).length)).toEqual([4, 2, 1, 1, 1, 1]);
});

test('among the texts of the other languages every value is tried in turn, and that one is left out', () => {
  const choose = makeValueChoice(large);
  const chosen = [...texts, ...texts].flatMap((point) => choose(point, candidates));
  expect(new Set(chosen.slice(6))).toEqual(new Set(candidates.map(({ value }) => value)));
});
