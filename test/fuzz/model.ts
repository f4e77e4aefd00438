/**
 * The specification's rules for orders, written a second time and in another way than the service's own:
 * what a body means, and which answer it must get.
 */

export interface Effective {
  readonly siteId: number;
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
}

export type Reading =
  | { readonly status: 400 | 413; readonly message: string }
  | { readonly status: 201; readonly order: Effective };

const top = 2147483647;
const maxBytes = 65536;

/** The number that a text is, without the white space around it; undefined for what is no decimal number. */
const numberOf = (text: string): number | undefined => {
  const blank = [9, 10, 11, 12, 13, 32];
  const characters = text.split('');
  while (characters.length > 0 && blank.includes(characters[0]!.charCodeAt(0))) characters.shift();
  while (characters.length > 0 && blank.includes(characters.at(-1)!.charCodeAt(0))) characters.pop();
  const bare = characters.join('');
  // JavaScript reads more than decimal numbers as a number; digits, signs, a point and an exponent leave only those.
  return bare === '' || /[^0-9+\-.eE]/.test(bare) || Number.isNaN(Number(bare)) ? undefined : Number(bare);
};

/** The number of the longest beginning that is one. */
const leadingNumberOf = (text: string): number | undefined => {
  for (let length = Math.min(text.length, 500); length > 0; length -= 1) {
    const number = numberOf(text.slice(0, length));
    if (number !== undefined) return number;
  }
  return undefined;
};

/** "Integer conversion" of the specification, for a text that must be a number as a whole. */
export const integer = (value: unknown): number =>
  converted(typeof value === 'string' ? (numberOf(value) ?? 0) : value);

/** The same for `max_uses`, `expire_minutes` and the qos values: a number at the beginning counts. */
const limitOf = (value: unknown): number =>
  converted(typeof value === 'string' ? (leadingNumberOf(value) ?? 0) : value);

const converted = (value: unknown): number => {
  if (value === true) return 1;
  const number = typeof value === 'number' ? value : 0;
  if (Number.isNaN(number) || Math.abs(number) === Infinity) return 0;
  return number < 0 ? -Math.floor(-number) || 0 : Math.floor(number);
};

/** The name as it is stored behind the date: no NUL, no unpaired surrogate, nothing white at its ends. */
export const nameOf = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  let text = '';
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (code !== 0) text += code >= 0xd800 && code <= 0xdfff ? '\ufffd' : character;
  }
  return text.trim();
};

const fieldsOf = (value: unknown): Map<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : new Map<string, unknown>();

const parse = (body: Uint8Array): unknown => {
  try {
    // Bytes that are no UTF-8 are no JSON, and a byte order mark is no part of it either.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return undefined;
  }
};

/** What becomes of a body, as long as key, scope, idempotency key and site give no other answer. */
export const readBody = (body: Uint8Array | undefined): Reading => {
  if (body && body.length > maxBytes) {
    return { status: 413, message: 'Der Inhalt der Anfrage ist zu groß (höchstens 64 KiB)' };
  }
  const fields = fieldsOf(body && parse(body));
  const siteId = integer(fields.get('site_id'));
  if (siteId <= 0) return { status: 400, message: 'site_id erforderlich' };
  const name = nameOf(fields.get('name'));
  if (name === '') return { status: 400, message: 'name erforderlich' };
  if (Array.from(name).length > 255) return { status: 400, message: 'name zu lang (höchstens 255 Zeichen)' };
  const maxUses = limitOf(fields.get('max_uses'));
  const expireMinutes = limitOf(fields.get('expire_minutes'));
  const qos = fieldsOf(fields.get('qos'));
  const limit = (field: string) => Math.min(top, Math.max(0, limitOf(qos.get(field))));
  const order = {
    siteId,
    name,
    maxUses: maxUses < 1 ? 1 : Math.min(top, maxUses),
    expireMinutes: expireMinutes < 1 ? 480 : Math.min(top, expireMinutes),
    down: limit('down'),
    up: limit('up'),
    quotaMb: limit('quota_mb'),
  };
  return { status: 201, order };
};

const decode = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // What is not encoded properly is no number, and no name that we know.
    return `?${spaced}`;
  }
};

/** The site that a query asks for; undefined when it must be refused. */
export const siteOfQuery = (query: string): number | undefined => {
  const values: string[] = [];
  for (const part of query.split('&')) {
    const [name = '', ...value] = part.split('=');
    if (decode(name) === 'site_id') values.push(decode(value.join('=')));
  }
  const siteId = values.length === 1 ? integer(values[0]) : 0;
  return siteId > 0 ? siteId : undefined;
};

/** The server's local date, as in the stored name. */
export const dateOf = (time: number): string => {
  const date = new Date(time);
  const local = new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
  return local.toISOString().slice(0, 10);
};
