/** How a parameter or a field of a form is written, where that is not what OpenAPI has as standard for its place. */
export interface ParameterStyle {
  readonly style?: string;
  readonly explode?: boolean;
  /** As JSON: a parameter with `content`. */
  readonly json?: boolean;
  readonly allowReserved?: boolean;
}

/** By the names of parameters or fields. */
export type ParameterStyles = Readonly<Record<string, ParameterStyle>>;

type Encode = (text: string) => string;

type Values = Readonly<Record<string, unknown>>;

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

const toText = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const encodeReserved: Encode = (text) => encodeURI(text).replaceAll('#', '%23').replaceAll('&', '%26');

const presentIn = (values: Values): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => !isMissing(value));

const separatorOf = (style: string, encode: Encode): string => {
  if (style === 'spaceDelimited') return encode(' ');
  return style === 'pipeDelimited' ? '|' : ',';
};

/** `a[b]=1&a[c]=2`; the items of a list repeat its name. */
const toDeepPairs = (name: string, value: unknown, encode: Encode): [string, string][] => {
  if (Array.isArray(value)) return value.map((item) => [name, encode(toText(item))]);
  if (!isObject(value)) return [[name, encode(toText(value))]];
  return presentIn(value).flatMap(([key, inner]) => toDeepPairs(`${name}[${encode(key)}]`, inner, encode));
};

/** Names and values as they stand in a query or in a form. */
const toPairs = (name: string, value: unknown, how: ParameterStyle, encode: Encode): [string, string][] => {
  const { style = 'form', explode = style === 'form', json = false } = how;
  const text = (one: unknown): string => encode(toText(one));
  if (json || !isObject(value)) return [[name, encode(json ? JSON.stringify(value) : toText(value))]];
  const separator = separatorOf(style, encode);
  if (Array.isArray(value)) {
    // OpenAPI does not say how `deepObject` writes a list.
    if (explode || style === 'deepObject') return value.map((item) => [name, text(item)]);
    return [[name, value.map(text).join(separator)]];
  }
  if (style === 'deepObject') return toDeepPairs(name, value, encode);
  if (explode) return presentIn(value).flatMap(([key, inner]) => toDeepPairs(encode(key), inner, encode));
  return [
    [
      name,
      presentIn(value)
        .flatMap(([key, inner]) => [encode(key), text(inner)])
        .join(separator),
    ],
  ];
};

export const toQuery =
  (styles: ParameterStyles) =>
  (query: Values): string =>
    presentIn(query)
      .flatMap(([name, value]) => {
        const how = styles[name] ?? {};
        const encode = how.allowReserved === true ? encodeReserved : encodeURIComponent;
        return toPairs(encodeURIComponent(name), value, how, encode).map((pair) => pair.join('='));
      })
      .join('&');

/** `a,1,b,2`, or `a=1,b=2`: the value of a path parameter or of a header. */
export const toSimple = (value: unknown, how: ParameterStyle, encode: Encode): string => {
  if (how.json === true) return encode(JSON.stringify(value));
  const text = (one: unknown): string => encode(toText(one));
  if (Array.isArray(value)) return value.map(text).join(',');
  if (!isObject(value)) return text(value);
  const joint = how.explode === true ? '=' : ',';
  return presentIn(value)
    .map(([key, inner]) => `${encode(key)}${joint}${text(inner)}`)
    .join(',');
};

/** What can't stand in a cookie, or has a meaning there. */
const encodeCookie: Encode = (text) => text.replaceAll(/[^!#$&-+\--:<-[\]-~]/gu, encodeURIComponent);

export const toCookies = (cookies: Values, styles: ParameterStyles): string =>
  presentIn(cookies)
    .map(([name, value]) => `${name}=${toSimple(value, { json: styles[name]?.json === true }, encodeCookie)}`)
    .join('; ');

const asIs: Encode = (text) => text;

/** The fields of a form whose `encoding` says how lists and objects are written; other objects are JSON. */
const toFields = (body: Values, styles: ParameterStyles): [string, unknown][] =>
  presentIn(body).flatMap(([name, value]): [string, unknown][] => {
    if (value instanceof Blob) return [[name, value]];
    const how = styles[name];
    if (how) return toPairs(name, value, how, asIs);
    const items = Array.isArray(value) ? (value as unknown[]) : [value];
    return items.map((item) => [name, item instanceof Blob ? item : toText(item)]);
  });

export const toForm = (body: Values, styles: ParameterStyles): string => {
  const data = new URLSearchParams();
  for (const [name, value] of toFields(body, styles)) data.append(name, String(value));
  return data.toString();
};

export const toMultipart = (body: Values, styles: ParameterStyles): FormData => {
  const data = new FormData();
  for (const [name, value] of toFields(body, styles))
    if (value instanceof Blob) data.append(name, value);
    else data.append(name, String(value));
  return data;
};
