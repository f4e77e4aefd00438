import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { root } from './run.mjs';

/** The files of packages that the program reads as they are: the reference's, and the fonts of what is printed. */
const copied = {
  'swagger-ui-dist': ['swagger-ui-bundle.js', 'swagger-ui.css'],
  '@expo-google-fonts/open-sans': ['400Regular/OpenSans_400Regular.ttf', '700Bold/OpenSans_700Bold.ttf'],
  '@expo-google-fonts/vazirmatn': ['400Regular/Vazirmatn_400Regular.ttf', '700Bold/Vazirmatn_700Bold.ttf'],
};

/** Copies these files, so that an installed program does not need all of their packages. */
export const copyPackageFiles = (folder) => {
  for (const [name, files] of Object.entries(copied))
    for (const file of files) {
      const copy = `${folder}/${name}/${file}`;
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(`${root}node_modules/${name}/${file}`, copy);
    }
};

/** The folder of the package that a file belongs to; undefined for our own files. */
const packageOf = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

const licenceOf = (folder) => {
  const { name, version, license, homepage } = JSON.parse(
    readFileSync(`${root}${folder}/package.json`, 'utf8'),
  );
  const files = readdirSync(`${root}${folder}`).filter((entry) => /^licen[cs]e/i.test(entry));
  const texts = files.map((file) => readFileSync(`${root}${folder}/${file}`, 'utf8').trim());
  const text = texts.length === 0 ? `${license} ${homepage ?? ''}` : texts.join('\n\n');
  return `${name} ${version}\n\n${text.trim()}\n`;
};

/** Writes the licences of the packages that are part of a bundle, whose files esbuild names, and of copied files. */
export const writeLicences = (file, inputs) => {
  const folders = [...inputs, ...Object.keys(copied).map((name) => `node_modules/${name}/`)].map(packageOf);
  const texts = [...new Set(folders)]
    .filter((folder) => folder !== undefined && existsSync(`${root}${folder}/package.json`))
    .sort()
    .map(licenceOf);
  writeFileSync(file, texts.join(`\n${'-'.repeat(80)}\n\n`));
};
