import { isUtf8 } from 'node:buffer';

/** The value of a header such as `form-data; name="a"`. */
interface HeaderValue {
  /** In lower case. */
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** What the headers of a part of a multipart body say. */
export interface PartHeaders {
  readonly name: string;
  /**
   * Without folders; empty for a file field of a form in which no file was chosen. `undefined`: it is none.
   */
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
  readonly charset: string | undefined;
}

const parameter = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:\\"|[^"])*)"|([^\s";]*))[ \t]*)?(?=;|$)/y;

/** `undefined` where it is malformed, or has a parameter twice. */
const parseHeaderValue = (text: string): HeaderValue | undefined => {
  const end = text.indexOf(';');
  const value = (end < 0 ? text : text.slice(0, end)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  parameter.lastIndex = end < 0 ? text.length : end;
  while (parameter.lastIndex < text.length) {
    const [found, written = '', quoted, plain = ''] = parameter.exec(text) ?? [];
    const name = written.toLowerCase();
    if (found === undefined || parameters.has(name)) return undefined;
    if (name !== '') parameters.set(name, quoted === undefined ? plain : unquote(quoted));
  }
  return { value, parameters };
};

/**
 * Browsers write quotes and line ends as `%22`, `%0D` and `%0A`,
 * other clients with a backslash. Paths of Windows keep theirs.
 */
const unquote = (text: string): string =>
  text
    .replaceAll(/\\"|%22/g, '"')
    .replaceAll(/%0d/gi, '\r')
    .replaceAll(/%0a/gi, '\n');

/** What stands between the parts of a body; `undefined` where its content type does not say that well. */
export const boundaryOf = (contentType: string): string | undefined => {
  const boundary = parseHeaderValue(contentType)?.parameters.get('boundary');
  return boundary !== undefined && /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)
    ? boundary
    : undefined;
};

/**
 * `undefined` where they are malformed, where one of those that count comes twice,
 * or where the part is encoded again.
 */
export const parsePartHeaders = (bytes: Buffer): PartHeaders | undefined => {
  if (!isUtf8(bytes)) return undefined;
  const headers = new Map<string, string>();
  for (const line of bytes.toString('utf8').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    // Line ends can't stand within a line, except a bare one.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\0\r\n]/.test(line) || headers.has(name)) return undefined;
    headers.set(name, line.slice(colon + 1).trim());
  }
  const disposition = parseHeaderValue(headers.get('content-disposition') ?? '');
  const name = disposition?.parameters.get('name');
  const type = parseHeaderValue(headers.get('content-type') ?? '');
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (disposition?.value !== 'form-data' || name === undefined || !type) return undefined;
  if (!/^(?:7bit|8bit|binary)$/i.test(encoding)) return undefined;
  const fileName = fileNameOf(disposition);
  if (fileName === malformed) return undefined;
  return {
    name,
    fileName,
    mediaType: type.value === '' ? undefined : type.value,
    charset: type.parameters.get('charset'),
  };
};

const malformed = Symbol('malformed');

const fileNameOf = ({ parameters }: HeaderValue): string | typeof malformed | undefined => {
  const extended = parameters.get('filename*');
  if (extended === undefined) {
    const plain = parameters.get('filename');
    return plain === undefined ? undefined : toBaseName(plain);
  }
  const [, escaped] = /^utf-8'[^']*'(.*)$/i.exec(extended) ?? [];
  try {
    return escaped === undefined ? malformed : toBaseName(decodeURIComponent(escaped));
  } catch {
    return malformed;
  }
};

/**
 * A name that a handler may show or store: the last part of
 * a path, on one line, without marks that reverse it.
 */
const toBaseName = (sent: string): string => {
  const name = (sent.split(/[/\\]/).at(-1) ?? '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '')
    .trim();
  return name === '.' || name === '..' ? '' : name;
};
