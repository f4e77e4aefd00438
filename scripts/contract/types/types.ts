import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../src/lib/packageRoot.js';
import type { Stage, StageProblem } from '../stage.js';
import { runTool, withFiles } from '../tools.js';

const generated = 'generated/openapi.ts';

/** The generator obeys redocly.yaml too and would refuse what `lint` has told already. */
const noRules = 'rules: {}\n';

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
        : compareTypes(present, await generate(contract.source));
    if (problem) recorder.failed(tried, problem);
    else recorder.passed(tried);
  },
});

const readGenerated = (): Promise<string | undefined> =>
  readFile(join(packageRoot, generated), 'utf8').catch(() => undefined);

const generate = (source: string): Promise<string> =>
  withFiles({ 'openapi.yaml': source, 'redocly.yaml': noRules }, async (files) => {
    const args = [files['openapi.yaml'] ?? '', '--redocly', files['redocly.yaml'] ?? ''];
    const { status, stdout, stderr } = await runTool('openapi-typescript/bin/cli.js', args);
    if (status !== 0) throw new Error(`openapi-typescript can make no types of it: ${firstLine(stderr)}`);
    return stdout;
  });

const firstLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '') ?? '';

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
