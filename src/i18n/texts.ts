import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../lib/packageRoot.js';
import { en } from './en.js';
import type { PageLanguage } from './language.js';

/** The same kinds and codes as in English. */
type TextTable = {
  readonly [Kind in keyof typeof en]: Readonly<Record<keyof (typeof en)[Kind], string>>;
};

const loaded: { -readonly [Language in PageLanguage]?: TextTable } = { en };

/** What the service says in a language; it is read when it is first needed. */
export const loadTexts = (language: PageLanguage): TextTable =>
  (loaded[language] ??= parseTexts(
    readFileSync(join(packageRoot, 'src/i18n/texts', `${language}.json`), 'utf8'),
  ));

/** Only in English a failure is worded in a way of its own for the log and the command line. */
const parseTexts = (json: string): TextTable => {
  const texts = JSON.parse(json) as Omit<TextTable, 'failureDetail'>;
  return { ...texts, failureDetail: texts.failure };
};
