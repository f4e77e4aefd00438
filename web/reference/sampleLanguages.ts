// Code samples of a request, for people to copy. Whatever is in a request must be sent as it is, so each language quotes
// texts in its own way.
import { keyVariable, type SampleRequest } from './sampleRequest.ts';

/** The body as it is sent; undefined without one. */
const sentText = ({ body, bodyText }: SampleRequest): string | undefined =>
  body === undefined ? bodyText : JSON.stringify(body);

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const shellQuoted = (text: string): string => text.replace(/[\\"$`]/g, '\\$&');
// Without a value, curl would leave the header out.
const shellHeader = (name: string, value: string): string =>
  shellWord(value === '' ? `${name};` : `${name}: ${value}`);

const curl = (request: SampleRequest): string => {
  const { method, url, headers } = request;
  const body = sentText(request);
  return [
    // Brackets and braces in an address would be patterns for curl, and @ at the start of a body the name of a file.
    `curl ${/[[\]{}]/.test(url) ? '-g ' : ''}${method === 'GET' ? '' : `-X ${method} `}${shellWord(url)}`,
    ...headers.map((header) =>
      'isKey' in header
        ? `-H "${shellQuoted(`${header.name}: ${header.prefix}`)}$${keyVariable}"`
        : `-H ${shellHeader(header.name, header.value)}`,
    ),
    ...(body === undefined ? [] : [(body.startsWith('@') ? '--data-raw ' : '-d ') + shellWord(body)]),
  ].join(' \\\n  ');
};

/** How a language writes values. */
interface LiteralStyle {
  text(text: string): string;
  readonly none: string;
  readonly booleans: readonly [no: string, yes: string];
  /** The name of a field. */
  name(name: string): string;
  /** Between the name of a field and its value. */
  readonly between: string;
  readonly braces: readonly [open: string, close: string];
  /** An object without fields. */
  readonly empty: string;
  readonly indent: string;
}

/** A value as a literal whose lines after the first begin with margin. A text is never changed afterwards. */
const literal = (value: unknown, style: LiteralStyle, margin = ''): string => {
  if (typeof value === 'string') return style.text(value);
  if (value === null || value === undefined) return style.none;
  if (typeof value === 'boolean') return style.booleans[value ? 1 : 0];
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = margin + style.indent;
  const items = isList
    ? value.map((item) => literal(item, style, inner))
    : Object.entries(value).map(
        ([name, item]) => style.name(name) + style.between + literal(item, style, inner),
      );
  const [open, close] = isList ? ['[', ']'] : style.braces;
  if (items.length === 0) return isList ? '[]' : style.empty;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${margin}${close}`;
};

const scriptText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const isScriptName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

const scriptStyle: LiteralStyle = {
  text: scriptText,
  none: 'null',
  booleans: ['false', 'true'],
  // __proto__: would set the prototype.
  name: (name) => (name === '__proto__' ? "['__proto__']" : isScriptName(name) ? name : scriptText(name)),
  between: ': ',
  braces: ['{', '}'],
  empty: '{}',
  indent: '  ',
};

const typeScript = ({ method, url, headers, body, bodyText }: SampleRequest): string => {
  const key = `process.env.${keyVariable}`;
  const lines = headers.map((header) => {
    const name = scriptStyle.name(header.name);
    if (!('isKey' in header)) return `    ${name}: ${scriptText(header.value)},\n`;
    return `    ${name}: ${header.prefix === '' ? `${key} ?? ''` : `${scriptText(header.prefix)} + ${key}`},\n`;
  });
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(lines.length === 0 ? [] : [`headers: {\n${lines.join('')}  }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, scriptStyle, '  ')})`]),
    ...(bodyText === undefined ? [] : [`body: ${scriptText(bodyText)}`]),
  ].map((option) => `  ${option},\n`);
  return [
    `const response = await fetch(${scriptText(url)}${options.length > 0 ? `, {\n${options.join('')}}` : ''});`,
    'const text = await response.text();',
    "if (!response.ok) throw new Error(response.status + ' ' + text);",
    'console.log(text);',
  ].join('\n');
};

const pythonText = (text: string): string => JSON.stringify(text);
const pythonStyle: LiteralStyle = {
  text: pythonText,
  none: 'None',
  booleans: ['False', 'True'],
  name: pythonText,
  between: ': ',
  braces: ['{', '}'],
  empty: '{}',
  indent: '    ',
};

const python = ({ method, url, headers, body, bodyText }: SampleRequest): string => {
  const by = pythonStyle.indent;
  const key = `os.environ["${keyVariable}"]`;
  const lines = headers.map((header) => {
    const name = pythonText(header.name);
    if (!('isKey' in header)) return `${by}${by}${name}: ${pythonText(header.value)},\n`;
    return `${by}${by}${name}: ${header.prefix === '' ? '' : `${pythonText(header.prefix)} + `}${key},\n`;
  });
  return [
    ...(body === undefined ? [] : ['import json']),
    ...(headers.some((header) => 'isKey' in header) ? ['import os'] : []),
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `${by}${pythonText(url)},`,
    `${by}method="${method}",`,
    ...(lines.length === 0 ? [] : [`${by}headers={\n${lines.join('')}${by}},`]),
    ...(body === undefined ? [] : [`${by}data=json.dumps(${literal(body, pythonStyle, by)}).encode(),`]),
    ...(bodyText === undefined ? [] : [`${by}data=${pythonText(bodyText)}.encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    `${by}print(response.read().decode())`,
  ].join('\n');
};

const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const phpEscaped = (character: string): string =>
  namedEscapes[character] ??
  (/\p{Cc}/u.test(character) ? `\\u{${character.charCodeAt(0).toString(16)}}` : `\\${character}`);
/** In single quotes nothing but a backslash and a quote is special, but a line break would be one of the file. */
const phpText = (text: string): string =>
  /\p{Cc}/u.test(text)
    ? `"${text.replace(/[\p{Cc}\\"$]/gu, phpEscaped)}"`
    : `'${text.replace(/[\\']/g, '\\$&')}'`;
const phpStyle: LiteralStyle = {
  text: phpText,
  none: 'null',
  booleans: ['false', 'true'],
  name: phpText,
  between: ' => ',
  braces: ['[', ']'],
  empty: 'new stdClass()',
  indent: '    ',
};

/** PHP's arrays take '1' for a number and have no half of a surrogate pair. Such a body is a JSON text. */
const isPhpValue = (value: unknown): boolean => {
  if (typeof value === 'string') return !/\p{Cs}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isPhpValue);
  return Object.entries(value).every(
    ([name, item]) => !/^-?\d+$/.test(name) && isPhpValue(name) && isPhpValue(item),
  );
};

/** With PHP's own streams: its curl is an extension that is not everywhere. */
const php = (request: SampleRequest): string => {
  const { method, url, headers, body } = request;
  const by = phpStyle.indent;
  const lines = headers.map((header) =>
    'isKey' in header
      ? `${by}${by}${phpText(`${header.name}: ${header.prefix}`)} . getenv('${keyVariable}'),\n`
      : `${by}${by}${phpText(`${header.name}: ${header.value}`)},\n`,
  );
  const text = sentText(request);
  const content =
    body !== undefined && isPhpValue(body)
      ? `json_encode(${literal(body, phpStyle, by)})`
      : phpText(text ?? '');
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `${by}'method' => '${method}',`,
    ...(lines.length === 0 ? [] : [`${by}'header' => [\n${lines.join('')}${by}],`]),
    ...(text === undefined ? [] : [`${by}'content' => ${content},`]),
    `${by}'follow_location' => 0,`,
    `${by}'ignore_errors' => true,`,
    ']]);',
    `$response = fopen(${phpText(url)}, 'r', false, $context);`,
    "if ($response === false) throw new RuntimeException('no answer');",
    "$status = explode(' ', stream_get_meta_data($response)['wrapper_data'][0])[1];",
    '$body = stream_get_contents($response);',
    'if ($status >= 400) throw new RuntimeException("$status $body");',
    'echo $body;',
  ].join('\n');
};

/** The languages of code samples, in the order of their tabs. */
export const sampleLanguages = { curl, TypeScript: typeScript, Python: python, PHP: php } as const;

export type SampleLanguage = keyof typeof sampleLanguages;
