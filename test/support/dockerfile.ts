import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './built.js';

/** One instruction: `COPY --from=build /a /b`. */
export interface Instruction {
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  /** The rest of the line. */
  readonly text: string;
}

/** A stage of an image, and the name or number of the image that it begins with. */
export interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

const parseInstruction = (line: string): Instruction => {
  const [, name = '', options = '', text = ''] = /^(\w+)\s+((?:--\S+\s+)*)(.*)$/s.exec(line) ?? [];
  return {
    name: name.toUpperCase(),
    options: Object.fromEntries(
      options
        .split(/\s+/)
        .filter(Boolean)
        .map((option) => option.slice(2).split('=') as [string, string]),
    ),
    text: text.trim(),
  };
};

/** The stages of the Dockerfile of this checkout. Comments are left out, and continued lines joined. */
export const readDockerfile = (): Stage[] => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of lines.map(parseInstruction))
    if (instruction.name === 'FROM') {
      const [base = '', , name] = instruction.text.split(/\s+/);
      stages.push({ base, name, instructions: [] });
    } else stages.at(-1)?.instructions.push(instruction);
  return stages;
};

/** The texts of all instructions of one kind. */
export const textsOf = ({ instructions }: Stage, name: string): string[] =>
  instructions.filter((one) => one.name === name).map(({ text }) => text);

/** A command in its JSON form; undefined in any other. */
export const parseCommand = (text: string): string[] | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((word) => typeof word === 'string') ? parsed : undefined;
  } catch {
    return undefined;
  }
};
