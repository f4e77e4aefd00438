import { readdirSync, readFileSync } from 'node:fs';
import { root } from './run.mjs';

const folder = `${root}web/src`;

const read = (file) => readFileSync(`${folder}/${file}`, 'utf8');

/** The texts of a language by their whole key, such as `keys.title`. */
export const readTexts = (language) =>
  new Map(
    readdirSync(`${folder}/texts/${language}`).flatMap((file) =>
      Object.entries(JSON.parse(read(`texts/${language}/${file}`))).map(([key, text]) => [
        `${file.replace(/\.json$/, '')}.${key}`,
        text,
      ]),
    ),
  );

const sources = () =>
  readdirSync(folder, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('texts/'))
    .map(read)
    .join('\n');

/** What is filled in: the names in braces, at any depth, but not the cases of a plural. */
const placeholders = (text) => {
  const withoutCases = text.replace(/(?<!\w)(?:=\d+|zero|one|two|few|many|other) \{/g, '');
  return [...new Set([...withoutCases.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name))].sort().join(' ');
};

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The keys that a source names: whole ones, and patterns such as `nav.group-${group}`. */
const namedKeys = (source, pages) => {
  const page = pages.map(escaped).join('|');
  const whole = [...source.matchAll(new RegExp(`'((?:${page})\\.[\\w-]+)'`, 'g'))].map(([, key]) => key);
  const patterns = [...source.matchAll(new RegExp(`\`((?:${page})\\.[^\`\\s]*\\$\\{[^\`]*)\``, 'g'))].map(
    ([, key]) =>
      new RegExp(
        `^${key
          .split(/\$\{[^}]*\}/)
          .map(escaped)
          .join('.+')}$`,
      ),
  );
  return { whole: new Set(whole), patterns };
};

const pageOf = (key) => key.split('.')[0];

/** What one language has, and another has not or differently. */
const findDifferences = ([firstName, first], [name, other]) => [
  ...[...first.keys()].filter((key) => !other.has(key)).map((key) => `${key} is missing in ${name}`),
  ...[...other.keys()].filter((key) => !first.has(key)).map((key) => `${key} is missing in ${firstName}`),
  ...[...first]
    .filter(([key, text]) => other.has(key) && placeholders(text) !== placeholders(other.get(key)))
    .map(([key]) => `${key} is filled in differently in ${firstName} and ${name}`),
];

/** What is wrong with texts and the sources that use them, one sentence each. */
export const findTextProblems = (texts, source) => {
  const [first, ...others] = Object.entries(texts);
  const [, keys] = first;
  const pages = [...new Set([...keys.keys()].map(pageOf))];
  const { whole, patterns } = namedKeys(source, pages);
  const isUsed = (key) => whole.has(key) || patterns.some((pattern) => pattern.test(key));
  return [
    ...others.flatMap((other) => findDifferences(first, other)),
    ...[...keys.keys()].filter((key) => !isUsed(key)).map((key) => `${key} is not used`),
    ...[...whole].filter((key) => !keys.has(key)).map((key) => `${key} has no text`),
  ].sort();
};

/** These have every text; the first is what the others are compared with. Guests read some texts in more languages. */
const pageLanguages = ['de', 'en', 'es', 'fr', 'it', 'nl'];

const guestOnlyLanguages = () =>
  readdirSync(`${folder}/texts`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !pageLanguages.includes(entry.name))
    .map(({ name }) => name);

/** The problems of the texts of the pages, in every language. */
export const webTextProblems = () => {
  const texts = Object.fromEntries(pageLanguages.map((name) => [name, readTexts(name)]));
  const [[firstName, first]] = Object.entries(texts);
  return [
    ...findTextProblems(texts, sources()),
    ...guestOnlyLanguages().flatMap((name) => {
      const other = readTexts(name);
      const same = new Map([...first].filter(([key]) => other.has(key)));
      return findDifferences([firstName, same], [name, other]);
    }),
  ].sort();
};
