import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { root } from './run.mjs';

const folder = `${root}web/src/texts`;

/** Languages that only guests have consist of these, laid over the English ones. */
const guestGroups = ['shared', 'guests'];

/** The texts of a file, parsed, so that browsers need no parser for them. Nothing for a file that the language lacks. */
const compileFile = (compile, language, name) => {
  if (!readdirSync(`${folder}/${language}`).includes(`${name}.json`)) return {};
  const texts = JSON.parse(readFileSync(`${folder}/${language}/${name}.json`, 'utf8'));
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compile(text)]));
};

/**
 * Makes a file of the texts of each group of pages in each language. One version is part of all names, so that the first
 * script can name them without a list, which would be the largest part of it.
 */
export const compileTexts = async () => {
  // Loaded only now: it may have just been installed.
  const { default: compile } = await import('icu-minify/compile');
  const groups = Object.entries(JSON.parse(readFileSync(`${root}web/src/i18n/textGroups.json`, 'utf8')));
  const languages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const everyName = readdirSync(`${folder}/en`);
  const contents = languages.flatMap(({ name: language }) => {
    const isWhole = readdirSync(`${folder}/${language}`).length === everyName.length;
    return groups
      .filter(([group]) => isWhole || guestGroups.includes(group))
      .map(([group, names]) => {
        const texts = names.map((name) => [
          name,
          { ...compileFile(compile, 'en', name), ...compileFile(compile, language, name) },
        ]);
        return [`${language}-${group}`, `export default ${JSON.stringify(Object.fromEntries(texts))};\n`];
      });
  });
  const version = createHash('sha256')
    .update(JSON.stringify(contents))
    .digest('hex')
    .slice(0, 8)
    .toUpperCase();
  return {
    version,
    files: contents.map(([name, content]) => [`texts-${version}-${name}.js`, content]),
  };
};
