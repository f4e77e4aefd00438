const maxNameWords = 12;
const maxWordLength = 40;
const codeBlockLength = 5;

/** Small letters that Unicode does not take apart, as people write them whose keyboard does not have them. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  ŧ: 't',
  ə: 'e',
  ς: 'σ',
};
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/** Letters for which people also write two. */
const twoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const pairedLetter = new RegExp(`[${Object.keys(twoLetters).join('')}]`, 'gu');

/** What these pairs are searched for as, when somebody types the letter. */
const letterPair = /(?<=[aou])e|(?<=a)a/g;

/**
 * A text as words that are compared: without accents, in small letters. They hold letters and digits only.
 */
export const splitIntoWords = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(plainLetter, (letter) => plainLetters[letter] ?? letter)
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => Array.from(word).slice(0, maxWordLength).join(''));

interface NamedCode {
  readonly name: string;
  readonly code: string;
}

/**
 * What a voucher is found by the beginnings of: the words of its name without the date in front, its code,
 * and the code from its second block on. A name is found by every way to spell it: Müller, Mueller and Muller
 * find each other.
 */
export const toSearchWords = ({ name, code }: NamedCode): string[] => {
  const typed = name.replace(/^\d{4}-\d{2}-\d{2}_/, '');
  const plain = splitIntoWords(typed).slice(0, maxNameWords);
  const paired = hasOtherSpellings(typed) ? spellOtherwise(typed, plain) : [];
  const digits = splitIntoWords(code).join('').slice(0, maxWordLength);
  const blocks = Array.from({ length: Math.ceil(digits.length / codeBlockLength) }, (_, index) =>
    digits.slice(index * codeBlockLength),
  );
  return [...new Set([...plain, ...paired, ...blocks])];
};

/** Whether a name may be spelt in another way. Most are not, and nothing else is worked out for them. */
export const hasOtherSpellings = (name: string): boolean => /[^\0-\u007F]|[aou]e|aa/i.test(name);

const spellOtherwise = (typed: string, plain: readonly string[]): string[] => {
  const inPairs = typed
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(pairedLetter, (letter) => twoLetters[letter] ?? letter);
  return [
    ...splitIntoWords(inPairs).slice(0, maxNameWords),
    ...plain.map((word) => word.replaceAll(letterPair, '')),
  ];
};
