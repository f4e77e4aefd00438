import type { HttpRequest } from '../request.js';
import type { Key, Keys } from './keys.js';

/** Longer bodies are written as a command that prints them. */
const longest = 2_000;

/** The bash command that sends a request; keys are environment variables in it, `$KEY` where no name is known. */
export const curlLine = (base: string, request: HttpRequest, keys: Pick<Keys, 'all'>): string => {
  const { method, requestTarget, headers, body: sent } = request;
  const body = typeof sent === 'string' ? sent : sent && Buffer.from(sent).toString('latin1');
  const bodyEncoding = typeof sent === 'string' ? 'utf8' : 'latin1';
  const secrets = keys.all().flatMap(disguises);
  const word = (text: string, encoding?: BufferEncoding): string => quoted(text, secrets, encoding);
  const long = body !== undefined && body.length > longest ? printed(body) : undefined;
  const parts = [
    ...(long === undefined ? [] : [`${long} |`]),
    'curl -sS -i',
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' && body === undefined ? [] : [`-X ${method}`]),
    // Without this curl reads brackets in an address as a list of addresses.
    ...(/[[\]{}]/.test(requestTarget) ? ['--globoff'] : []),
    // In a header every character is one byte.
    ...headers.map(([name, value]) => `-H ${word(headerLine(name, value), 'latin1')}`),
    ...(body === undefined ? [] : [`--data-binary ${long === undefined ? word(body, bodyEncoding) : '@-'}`]),
    word(base.replace(/\/$/, '') + requestTarget),
  ];
  return parts.join(' ');
};

/** curl takes a header without a value with a semicolon; with a colon it would omit it. */
const headerLine = (name: string, value: string): string =>
  value.trim() === '' ? `${name};` : `${name}: ${value}`;

type Disguise = readonly [text: string, expression: string];

/** The forms in which tests send a key, and the bash expression for each: no command shows a key in any form. */
const disguises = ({ text, variable = 'KEY' }: Key): Disguise[] => {
  const key = text();
  return [
    [key, `"$${variable}"`],
    [Buffer.from(key).toString('base64'), `"$(printf %s "$${variable}" | base64 | tr -d '\\n')"`],
    [Buffer.from(`${key}:`).toString('base64'), `"$(printf %s "$${variable}:" | base64 | tr -d '\\n')"`],
    [key.toUpperCase(), `"$(printf %s "$${variable}" | tr a-z A-Z)"`],
    [key.slice(0, -1), `"\${${variable}%?}"`],
  ];
};

/** One shell word. A key becomes a variable, so it must be outside single quotes. */
const quoted = (text: string, secrets: readonly Disguise[], encoding: BufferEncoding = 'utf8'): string => {
  const found = secrets.find(([form]) => form.length > 3 && text.includes(form));
  if (!found) return quotedText(text, encoding);
  const parts = text.split(found[0]).map((part) => (part === '' ? '' : quoted(part, secrets, encoding)));
  return parts.join(found[1]);
};

const quotedText = (text: string, encoding: BufferEncoding): string => {
  const isPlain = encoding === 'utf8' ? /^[\x20-\x7e\u00a1-\u024f]*$/ : /^[\x20-\x7e]*$/;
  return isPlain.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `$'${escaped(text, encoding)}'`;
};

/** Bytes as bash reads them between `$'` and `'`, and printf in its format. */
const escaped = (text: string, encoding: BufferEncoding): string =>
  [...Buffer.from(text, encoding)]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f && !"\\'".includes(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');

/** A command that prints a long text which mostly repeats one character; undefined for any other text. */
const printed = (text: string): string | undefined => {
  const [run = ''] = /([ -~])\1{999,}/.exec(text) ?? [];
  const start = text.indexOf(run);
  const [before, after] = [text.slice(0, start), text.slice(start + run.length)];
  if (run === '' || before.length + after.length > longest) return undefined;
  const piece = (part: string): string => `printf '${escaped(part, 'utf8').replaceAll('%', '%%')}'`;
  const repeat = `head -c ${run.length} /dev/zero | tr '\\0' ${quotedText(run.charAt(0), 'utf8')}`;
  return `{ ${piece(before)}; ${repeat}; ${piece(after)}; }`;
};
