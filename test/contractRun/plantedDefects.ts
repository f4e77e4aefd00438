import { makeBreaking } from '../../tools/contract/src/breaking/breaking.js';
import { examples } from '../../tools/contract/src/examples/examples.js';
import { lint } from '../../tools/contract/src/lint/lint.js';
import type { Stage } from '../../tools/contract/src/stage.js';

/** A slip in the contract that a stage must find, so that a test can try whether it does. */
export interface PlantedDefect {
  readonly name: string;
  /** The stage that must find it; `original` is the contract before the slip. */
  stage(original: string): Stage;
  /** Makes the slip. */
  plant(original: string): string;
  /** What the failed case and its problem must say. */
  readonly says: RegExp;
  /** The line that the problem must show, where it points into the contract. */
  readonly shows?: RegExp;
}

/** Replaces a text, which must be there. */
const replacing =
  (from: string, to: string) =>
  (original: string): string => {
    if (!original.includes(from)) throw new Error(`the contract has no "${from}"`);
    return original.replace(from, () => to);
  };

const since = (original: string): Stage =>
  makeBreaking({
    earlier: async () => ({ name: 'the last release', source: original }),
  });

/** Slips of a designer, each with the stage that finds it. Those of `lint` do not get in each other's way. */
export const plantedDefects: readonly PlantedDefect[] = [
  {
    name: 'an operation without an operationId',
    stage: () => lint,
    plant: replacing('      operationId: listSites\n', ''),
    says: /operationId/,
    shows: /^get:/,
  },
  {
    name: 'an operation without a scope',
    stage: () => lint,
    plant: replacing('      x-scope: read\n', ''),
    says: /x-scope/,
    shows: /^get:/,
  },
  {
    name: 'a misspelled extension key',
    stage: () => lint,
    plant: replacing('x-trim: true', 'x-trimm: true'),
    says: /no extension key x-trimm/,
    shows: /^x-trimm: true/,
  },
  {
    name: 'an extension key with a value that it cannot have',
    stage: () => lint,
    plant: replacing('x-below-minimum: default', 'x-below-minimum: defualt'),
    says: /x-below-minimum cannot be "defualt"/,
  },
  {
    name: 'a parameter without an example',
    stage: () => lint,
    plant: replacing('          example: 6f1c2a34-booking-8812\n', ''),
    says: /Idempotency-Key has no example/,
  },
  {
    name: 'a response without an example',
    stage: () => lint,
    plant: replacing('          example: { error: not_found, message: Site nicht gefunden }\n', ''),
    says: /The body has no example/,
  },
  {
    name: 'a response without a schema',
    stage: () => lint,
    plant: replacing("              schema: { $ref: '#/components/schemas/CreatedVoucher' }\n", ''),
    says: /no schema/,
  },
  {
    name: 'a reference to nothing',
    stage: () => lint,
    plant: replacing('#/components/schemas/SiteList', '#/components/schemas/SitesList'),
    says: /resolve/,
  },
  {
    name: 'a property of a response that is gone',
    stage: since,
    plant: replacing('        site: { type: string, description: Name of the site }\n', ''),
    says: /property 'site' of the 201 response was removed/,
  },
  {
    name: 'a request field that is required all at once',
    stage: since,
    plant: replacing('required: [site_id, name]', 'required: [site_id, name, qos]'),
    says: /property 'qos' of the request body is now required/,
  },
  {
    name: 'a scope that asks for more',
    stage: since,
    plant: replacing('x-scope: read', 'x-scope: write'),
    says: /the scope changed from read to write/,
    shows: /^x-scope: write/,
  },
  {
    name: 'an example that does not fit its schema',
    stage: () => examples,
    plant: replacing(
      'max_uses: 2\n              expire_minutes',
      'max_uses: two\n              expire_minutes',
    ),
    says: /max_uses must be integer/,
  },
  {
    name: 'an example with a misspelled field',
    stage: () => examples,
    plant: replacing('formatted_code: 44703-44703', 'formated_code: 44703-44703'),
    says: /does not name: formated_code/,
  },
];
