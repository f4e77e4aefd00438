/**
 * Runs in the browser: makes code samples of a request. The key is always the environment's, never the one that was
 * entered. No backticks and no `${` in it: it is a text here.
 */
export const codeSampleScript = String.raw`'use strict';
globalThis.codeSamples = (() => {
  const variable = 'VOUCHERD_KEY';

  // A header is { name, value }, or { name, prefix, isKey: true } where the key follows.
  const indented = (text, by) => text.replaceAll('\n', '\n' + by);

  const shellWord = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
  const curl = ({ method, url, headers, body }) =>
    [
      'curl ' + (method === 'GET' ? '' : '-X ' + method + ' ') + shellWord(url),
      ...headers.map(({ name, value, prefix, isKey }) =>
        isKey ? '-H "' + name + ': ' + prefix + '$' + variable + '"' : '-H ' + shellWord(name + ': ' + value)),
      ...(body === undefined ? [] : ['-d ' + shellWord(JSON.stringify(body))]),
    ].join(' \\\n  ');

  const scriptText = (text) =>
    "'" + JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'") + "'";
  const isName = (name) => /^[A-Za-z_$][\w$]*$/.test(name);
  const literal = (value, style) => {
    if (typeof value === 'string') return style.text(value);
    if (value === null) return style.none;
    if (typeof value === 'boolean') return style.booleans[Number(value)];
    if (typeof value !== 'object') return String(value);
    const isList = Array.isArray(value);
    const items = isList
      ? value.map((item) => literal(item, style))
      : Object.entries(value).map(([name, item]) => style.name(name) + style.between + literal(item, style));
    const [open, close] = isList ? ['[', ']'] : style.braces;
    if (items.length === 0) return isList ? '[]' : style.empty;
    return open + '\n' + items.map((item) => style.indent + indented(item, style.indent) + ',\n').join('') + close;
  };
  const scriptStyle = {
    text: scriptText,
    none: 'null',
    booleans: ['false', 'true'],
    name: (name) => (isName(name) ? name : scriptText(name)),
    between: ': ',
    braces: ['{', '}'],
    empty: '{}',
    indent: '  ',
  };
  const typeScript = ({ method, url, headers, body }) => {
    const lines = headers.map(({ name, value, prefix, isKey }) => {
      const key = 'process.env.' + variable;
      const text = isKey ? (prefix === '' ? key + " ?? ''" : scriptText(prefix) + ' + ' + key) : scriptText(value);
      return '    ' + scriptStyle.name(name) + ': ' + text + ',\n';
    });
    const options = [
      ...(method === 'GET' ? [] : ["method: '" + method + "'"]),
      ...(lines.length === 0 ? [] : ['headers: {\n' + lines.join('') + '  }']),
      ...(body === undefined ? [] : ['body: JSON.stringify(' + indented(literal(body, scriptStyle), '  ') + ')']),
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
  const python = ({ method, url, headers, body }) => {
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
      ...(body === undefined ? [] : [by + 'data=json.dumps(' + indented(literal(body, pythonStyle), by) + ').encode(),']),
      ')',
      'with urllib.request.urlopen(request) as response:',
      by + 'print(response.read().decode())',
    ].join('\n');
  };

  const phpText = (text) => "'" + text.replaceAll('\\', '\\\\').replaceAll("'", "\\'") + "'";
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
  const php = ({ method, url, headers, body }) => {
    const by = phpStyle.indent;
    const lines = headers.map(({ name, value, prefix, isKey }) => {
      const text = isKey ? phpText(name + ': ' + prefix) + " . getenv('" + variable + "')" : phpText(name + ': ' + value);
      return by + by + text + ',\n';
    });
    return [
      '<?php',
      '$curl = curl_init(' + phpText(url) + ');',
      'curl_setopt_array($curl, [',
      by + 'CURLOPT_RETURNTRANSFER => true,',
      ...(method === 'GET' ? [] : [by + "CURLOPT_CUSTOMREQUEST => '" + method + "',"]),
      ...(lines.length === 0 ? [] : [by + 'CURLOPT_HTTPHEADER => [\n' + lines.join('') + by + '],']),
      ...(body === undefined ? [] : [by + 'CURLOPT_POSTFIELDS => json_encode(' + indented(literal(body, phpStyle), by) + '),']),
      ']);',
      '$body = curl_exec($curl);',
      'if ($body === false) throw new RuntimeException(curl_error($curl));',
      '$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);',
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

  const parsed = (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
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
      body: text === undefined ? undefined : parsed(withoutKeys(text)),
    };
  };

  return { languages, documentedRequest, sentRequest, variable };
})();
`;
