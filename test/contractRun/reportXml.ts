/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const token =
  /<!\[CDATA\[([^]*?)\]\]>|<\?xml [^?]*\?>|<(\/?)([\w.-]+)((?:\s+[\w.:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#xA': '\n',
};

/** Reads XML as strictly as a server of CI does; throws for what is not well-formed. */
export const parseXml = (source: string): Element => {
  const document: Open = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const match = token.exec(source);
    if (!match) throw new Error(`no XML at ${at}: ${source.slice(at, at + 80)}`);
    const [, raw, closing, name, attributes = '', selfClosing, text] = match;
    const top = open.at(-1)!;
    if (raw !== undefined) top.text += raw;
    if (text !== undefined) top.text += unescaped(text).trim();
    if (name === undefined) continue;
    if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes something else`);
      continue;
    }
    const element: Open = { name, attributes: {}, children: [], text: '' };
    for (const [, key = '', value = ''] of attributes.matchAll(/([\w.:-]+)="([^"]*)"/g)) {
      if (key in element.attributes) throw new Error(`${key} stands twice`);
      element.attributes[key] = unescaped(value);
    }
    top.children.push(element);
    if (!selfClosing) open.push(element);
  }
  if (open.length !== 1 || document.children.length !== 1) throw new Error('the document is not closed');
  return document.children[0]!;
};

const unescaped = (text: string): string => {
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)) throw new Error('a character that XML forbids');
  return text.replace(/&([^;]*)(;?)/g, (_, name: string, end: string) => {
    const character = references[name];
    if (character === undefined || end === '') throw new Error(`&${name} is no reference`);
    return character;
  });
};
