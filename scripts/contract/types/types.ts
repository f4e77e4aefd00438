import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { packageRoot } from '../../../src/lib/packageRoot.js';
import type { Stage, StageProblem } from '../stage.js';

const generated = 'generated/openapi.ts';

export interface TypesOptions {
  /** Reads the types as they are; undefined when there are none. */
  readonly readTypes?: () => Promise<string | undefined>;
}

/** The generated types are those of the contract. */
export const makeTypes = ({ readTypes = readGenerated }: TypesOptions = {}): Stage => ({
  name: 'types',
  title: `${generated} is what the contract makes of it`,
  run: async ({ contract, recorder }) => {
    const tried = { name: `${generated} follows the contract` };
    const present = await readTypes();
    const problem =
      present === undefined
        ? { what: `There is no ${generated}: npm run generate` }
        : compareTypes(present, await generate(contract.document));
    if (problem) recorder.failed(tried, problem);
    else recorder.passed(tried);
  },
});

const readGenerated = (): Promise<string | undefined> =>
  readFile(join(packageRoot, generated), 'utf8').catch(() => undefined);

const generate = async (document: object): Promise<string> => {
  try {
    return COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(document), { silent: true }));
  } catch (error) {
    throw new Error(`openapi-typescript can make no types of it: ${(error as Error).message}`);
  }
};

/** The first line in which the types are not what they should be. */
export const compareTypes = (present: string, wanted: string): StageProblem | undefined => {
  const [is, shouldBe] = [present, wanted].map((text) => text.replaceAll('\r\n', '\n').trimEnd().split('\n'));
  if (!is || !shouldBe) return undefined;
  const length = Math.max(is.length, shouldBe.length);
  const index = Array.from({ length }, (_, line) => line).find((line) => is[line] !== shouldBe[line]);
  if (index === undefined) return undefined;
  const shown = (line: string | undefined): string =>
    line === undefined ? 'the end of the file' : line.trim();
  return {
    what: [
      'The types are not those of the contract: npm run generate',
      `- ${shown(is[index])}`,
      `+ ${shown(shouldBe[index])}`,
    ].join('\n'),
    at: `${generated}:${Math.min(index, is.length - 1) + 1}:1`,
  };
};

export const types = makeTypes();
