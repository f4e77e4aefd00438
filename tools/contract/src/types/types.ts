import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import type { Source } from '../../../../src/contract/source.js';
import { typedDocument } from '../../../../src/contract/typedDocument.js';
import { packageRoot } from '../../../../src/lib/packageRoot.js';
import type { Stage, StageProblem } from '../stage.js';

export interface TypesOptions {
  /** Reads the types as they are; undefined when there are none. */
  readonly readTypes?: (file: string) => Promise<string | undefined>;
}

/** The generated types are those of the contract. */
export const makeTypes = ({ readTypes = readGenerated }: TypesOptions = {}): Stage => ({
  name: 'types',
  title: 'the generated types are what the contract makes of them',
  run: async ({ served: { types: file }, contract, recorder }) => {
    const tried = { name: `${file ?? 'types'} follows the contract` };
    if (file === undefined) {
      recorder.skipped(tried, 'there are no generated types');
      return;
    }
    const present = await readTypes(file);
    const problem =
      present === undefined
        ? { what: `There is no ${file}: npm run generate` }
        : compareTypes(
            file,
            present,
            await generate({ document: contract.loaded.document, at: contract.loaded.locate }),
          );
    if (problem) recorder.failed(tried, problem);
    else recorder.passed(tried);
  },
});

const readGenerated = (file: string): Promise<string | undefined> =>
  readFile(join(packageRoot, file), 'utf8').catch(() => undefined);

const generate = async (source: Pick<Source, 'document' | 'at'>): Promise<string> => {
  try {
    const json = JSON.stringify(typedDocument(source));
    // As `npm run generate` does, which sees it in the text.
    const readWriteMarkers = /"(?:readOnly|writeOnly)"/.test(json);
    return COMMENT_HEADER + astToString(await openapiTS(json, { silent: true, readWriteMarkers }));
  } catch (error) {
    throw new Error(`openapi-typescript can make no types of it: ${(error as Error).message}`);
  }
};

/** The first line in which the types are not what they should be. */
export const compareTypes = (file: string, present: string, wanted: string): StageProblem | undefined => {
  const [is = [], shouldBe = []] = [present, wanted].map((text) =>
    text.replaceAll('\r\n', '\n').trimEnd().split('\n'),
  );
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
    at: `${file}:${Math.min(index, is.length - 1) + 1}:1`,
  };
};

export const types = makeTypes();
