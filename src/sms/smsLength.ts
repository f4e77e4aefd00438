/** GSM 03.38: the characters of the default alphabet, and those of its extension, which take two places. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extension = new Set('\f^{}\\[~]|€');

const septets = (text: string): number | undefined => {
  let count = 0;
  for (const character of text) {
    if (basic.has(character)) count += 1;
    else if (extension.has(character)) count += 2;
    else return undefined;
  }
  return count;
};

/** How many SMS a text is sent and charged as. */
export const countSmsParts = (text: string): number => {
  const count = septets(text);
  // Each part of a longer text has a header.
  if (count !== undefined) return count <= 160 ? 1 : Math.ceil(count / 153);
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
};

/**
 * Typographic characters of our texts that would more than
 * halve what fits into an SMS, and what stands for them.
 */
const replacements = [
  [/[“”„«»]/g, '"'],
  [/[‘’]/g, "'"],
  [/[–—]/g, '-'],
  [/…/g, '...'],
  [/[\u{a0}\u{202f}\u{2009}]/gu, ' '],
] as const;

/** A text of ours with characters that an SMS has. */
export const toSmsCharacters = (text: string): string =>
  replacements.reduce((plain, [characters, replacement]) => plain.replaceAll(characters, replacement), text);
