/**
 * Runs in the browser: makes code samples of a request. The key is always the environment's, never the one that was
 * entered. No backticks and no `${` in it: it is a text here.
 */
export const codeSampleScript = String.raw`'use strict';
globalThis.codeSamples = (() => {
  const variable = 'VOUCHERD_KEY';

  // A header is { name, value }, or { name, prefix, isKey: true } where the key follows. A body is a value that is sent
  // as JSON, or bodyText, which is sent as it is.
  const textOf = ({ body, bodyText }) => (body === undefined ? bodyText : JSON.stringify(body));

  const shellWord = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
  const shellQuoted = (text) => text.replace(/[\\"$\x60]/g, '\\$&');
  // Without a value, curl would leave the header out.
  const shellHeader = (name, value) => shellWord(value === '' ? name + ';' : name + ': ' + value);
  const curl = ({ method, url, headers, ...sent }) => {
    const body = textOf(sent);
    return [
      // Brackets and braces in an address would be patterns for curl, and @ at the start of a body the name of a file.
      'curl ' + (/[[\]{}]/.test(url) ? '-g ' : '') + (method === 'GET' ? '' : '-X ' + method + ' ') + shellWord(url),
      ...headers.map(({ name, value, prefix, isKey }) =>
        isKey ? '-H "' + shellQuoted(name + ': ' + prefix) + '$' + variable + '"' : '-H ' + shellHeader(name, value)),
      ...(body === undefined ? [] : [(body.startsWith('@') ? '--data-raw ' : '-d ') + shellWord(body)]),
    ].join(' \\\n  ');
  };

  const scriptText = (text) =>
    "'" + JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'") + "'";
  const isName = (name) => /^[A-Za-z_$][\w$]*$/.test(name);
  /** A value as a literal whose lines after the first begin with margin. A text is never changed afterwards. */
  const literal = (value, style, margin = '') => {
    if (typeof value === 'string') return style.text(value);
    if (value === null) return style.none;
    if (typeof value === 'boolean') return style.booleans[Number(value)];
    if (typeof value !== 'object') return String(value);
    const isList = Array.isArray(value);
    const inner = margin + style.indent;
    const items = isList
      ? value.map((item) => literal(item, style, inner))
      : Object.entries(value).map(([name, item]) => style.name(name) + style.between + literal(item, style, inner));
    const [open, close] = isList ? ['[', ']'] : style.braces;
    if (items.length === 0) return isList ? '[]' : style.empty;
    return open + '\n' + items.map((item) => inner + item + ',\n').join('') + margin + close;
  };
  const scriptStyle = {
    text: scriptText,
    none: 'null',
    booleans: ['false', 'true'],
    // __proto__: would set the prototype.
    name: (name) => (name === '__proto__' ? "['__proto__']" : isName(name) ? name : scriptText(name)),
    between: ': ',
    braces: ['{', '}'],
    empty: '{}',
    indent: '  ',
  };
  const typeScript = ({ method, url, headers, body, bodyText }) => {
    const lines = headers.map(({ name, value, prefix, isKey }) => {
      const key = 'process.env.' + variable;
      const text = isKey ? (prefix === '' ? key + " ?? ''" : scriptText(prefix) + ' + ' + key) : scriptText(value);
      return '    ' + scriptStyle.name(name) + ': ' + text + ',\n';
    });
    const options = [
      ...(method === 'GET' ? [] : ["method: '" + method + "'"]),
      ...(lines.length === 0 ? [] : ['headers: {\n' + lines.join('') + '  }']),
      ...(body === undefined ? [] : ['body: JSON.stringify(' + literal(body, scriptStyle, '  ') + ')']),
      ...(bodyText === undefined ? [] : ['body: ' + scriptText(bodyText)]),
    ].map((option) => '  ' + option + ',\n');
    return [
      'const response = await fetch(' + scriptText(url) + (options.length > 0 ? ', {\n' + options.join('') + '}' : '') + ');',
      'const text = await response.text();',
      "if (!response.ok) throw new Error(response.status + ' ' + text);",
      'console.log(text);',
    ].join('\n');
  };

  const pythonStyle = {
    text: (text) => JSON.stringify(text),
    none: 'None',
    booleans: ['False', 'True'],
    name: (name) => JSON.stringify(name),
    between: ': ',
    braces: ['{', '}'],
    empty: '{}',
    indent: '    ',
  };
  const python = ({ method, url, headers, body, bodyText }) => {
    const by = pythonStyle.indent;
    const lines = headers.map(({ name, value, prefix, isKey }) => {
      const key = 'os.environ["' + variable + '"]';
      const text = isKey ? (prefix === '' ? '' : JSON.stringify(prefix) + ' + ') + key : JSON.stringify(value);
      return by + by + JSON.stringify(name) + ': ' + text + ',\n';
    });
    return [
      ...(body === undefined ? [] : ['import json']),
      ...(headers.some(({ isKey }) => isKey) ? ['import os'] : []),
      'import urllib.request',
      '',
      'request = urllib.request.Request(',
      by + JSON.stringify(url) + ',',
      by + 'method="' + method + '",',
      ...(lines.length === 0 ? [] : [by + 'headers={\n' + lines.join('') + by + '},']),
      ...(body === undefined ? [] : [by + 'data=json.dumps(' + literal(body, pythonStyle, by) + ').encode(),']),
      ...(bodyText === undefined ? [] : [by + 'data=' + JSON.stringify(bodyText) + '.encode(),']),
      ')',
      'with urllib.request.urlopen(request) as response:',
      by + 'print(response.read().decode())',
    ].join('\n');
  };

  const isControl = /[\x00-\x1f\x7f]/;
  const phpEscaped = (character) => {
    const named = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
    if (named) return named;
    return isControl.test(character) ? '\\u{' + character.codePointAt(0).toString(16) + '}' : '\\' + character;
  };
  /** In single quotes nothing but a backslash and a quote is special, but a line break would be one of the file. */
  const phpText = (text) =>
    isControl.test(text)
      ? '"' + text.replace(/[\x00-\x1f\x7f\\"$]/g, phpEscaped) + '"'
      : "'" + text.replace(/[\\']/g, '\\$&') + "'";
  const phpStyle = {
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
  const isPhpValue = (value) => {
    if (typeof value === 'string') return !/\p{Cs}/u.test(value);
    if (typeof value !== 'object' || value === null) return true;
    if (Array.isArray(value)) return value.every(isPhpValue);
    return Object.entries(value).every(([name, item]) => !/^-?\d+$/.test(name) && isPhpValue(name) && isPhpValue(item));
  };
  /** With PHP's own streams: its curl is an extension that is not everywhere. */
  const php = ({ method, url, headers, ...sent }) => {
    const by = phpStyle.indent;
    const lines = headers.map(({ name, value, prefix, isKey }) => {
      const text = isKey ? phpText(name + ': ' + prefix) + " . getenv('" + variable + "')" : phpText(name + ': ' + value);
      return by + by + text + ',\n';
    });
    const { body } = sent;
    const text = textOf(sent);
    const content = body !== undefined && isPhpValue(body) ? 'json_encode(' + literal(body, phpStyle, by) + ')' : text && phpText(text);
    return [
      '<?php',
      "$context = stream_context_create(['http' => [",
      by + "'method' => '" + method + "',",
      ...(lines.length === 0 ? [] : [by + "'header' => [\n" + lines.join('') + by + '],']),
      ...(text === undefined ? [] : [by + "'content' => " + (content || "''") + ',']),
      by + "'follow_location' => 0,",
      by + "'ignore_errors' => true,",
      ']]);',
      '$response = fopen(' + phpText(url) + ", 'r', false, $context);",
      "if ($response === false) throw new RuntimeException('no answer');",
      "$status = explode(' ', stream_get_meta_data($response)['wrapper_data'][0])[1];",
      '$body = stream_get_contents($response);',
      'if ($status >= 400) throw new RuntimeException("$status $body");',
      'echo $body;',
    ].join('\n');
  };

  const languages = { curl, TypeScript: typeScript, Python: python, PHP: php };

  const resolve = (contract, node) => {
    let here = node;
    for (let steps = 0; typeof here?.$ref === 'string' && steps < 10; steps += 1)
      here = here.$ref.slice(2).split('/').reduce((at, name) => at?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], contract);
    return here ?? {};
  };
  const firstOf = (examples) => Object.values(examples ?? {})[0]?.value;
  const exampleOf = (contract, described) => {
    const schema = resolve(contract, described.schema);
    const standard = { integer: 1, number: 1, boolean: true, array: [], object: {} }[schema.type] ?? 'text';
    return described.example ?? firstOf(described.examples) ?? schema.example ?? schema.default ?? schema.enum?.[0] ?? standard;
  };

  /** The headers of the first way to send a key. */
  const keyHeaders = (contract, security) =>
    Object.keys(security?.[0] ?? {}).flatMap((name) => {
      const scheme = resolve(contract, contract.components?.securitySchemes?.[name]);
      if (scheme.type === 'http') return [{ name: 'Authorization', prefix: 'Bearer ', isKey: true }];
      return scheme.in === 'header' ? [{ name: scheme.name, prefix: '', isKey: true }] : [];
    });

  /** An operation with its examples, and without what is optional. */
  const documentedRequest = (contract, base, path, method) => {
    const operation = contract.paths[path][method];
    const parameters = [...(contract.paths[path].parameters ?? []), ...(operation.parameters ?? [])]
      .map((parameter) => resolve(contract, parameter))
      .filter(({ required }) => required === true)
      .map((parameter) => ({ ...parameter, value: String(exampleOf(contract, parameter)) }));
    const valuesIn = (place) => parameters.filter((parameter) => parameter.in === place);
    const filled = valuesIn('path').reduce((text, { name, value }) => text.replaceAll('{' + name + '}', encodeURIComponent(value)), path);
    const query = valuesIn('query').map(({ name, value }) => encodeURIComponent(name) + '=' + encodeURIComponent(value)).join('&');
    const content = resolve(contract, operation.requestBody).content?.['application/json'];
    return {
      method: method.toUpperCase(),
      url: base + filled + (query === '' ? '' : '?' + query),
      headers: [
        ...keyHeaders(contract, operation.security ?? contract.security),
        ...valuesIn('header').map(({ name, value }) => ({ name, value })),
        ...(content ? [{ name: 'Content-Type', value: 'application/json' }] : []),
      ],
      body: content && exampleOf(contract, content),
    };
  };

  /** A value only where its JSON is the text again: a number with too many digits, say, stays the text that was sent. */
  const bodyOf = (text) => {
    try {
      const value = JSON.parse(text);
      const compact = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
      if (JSON.stringify(value) === compact) return { body: value };
    } catch {
      // Malformed: sent as it is, too.
    }
    return { bodyText: text.toWellFormed?.() ?? text };
  };
  /** A request as it was sent from the form, without the key that was sent. */
  const sentRequest = (contract, { method, url, headers, body }, keys) => {
    const withoutKeys = (text) => keys.reduce((cleaned, key) => (key === '' ? cleaned : cleaned.replaceAll(key, variable)), text);
    const schemes = Object.values(contract.components?.securitySchemes ?? {}).map((scheme) => resolve(contract, scheme));
    const keyNames = ['authorization', ...schemes.flatMap((scheme) => (scheme.in === 'header' ? [scheme.name.toLowerCase()] : []))];
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return {
      method,
      url: withoutKeys(url),
      headers: Object.entries(headers ?? {})
        .filter(([name]) => name.toLowerCase() !== 'accept')
        .map(([name, value]) =>
          keyNames.includes(name.toLowerCase())
            ? { name, prefix: /^bearer /i.test(value) ? 'Bearer ' : '', isKey: true }
            : { name, value: withoutKeys(String(value)) }),
      ...(text === undefined ? {} : bodyOf(withoutKeys(text))),
    };
  };

  return { languages, documentedRequest, sentRequest, variable };
})();
`;
