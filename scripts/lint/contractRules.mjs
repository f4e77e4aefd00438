// A plugin of Redocly with the rules of our contract; redocly.yaml switches them on.

import { closest, distance } from 'fastest-levenshtein';

/** Answers that have no body, may have none, or have one that nobody reads. */
const withoutBody = /^(1\d\d|202|204|205|3\d\d)$/;

const isText = (value) => typeof value === 'string';
const oneOf =
  (...allowed) =>
  (value) =>
    allowed.includes(value);

/** Where each extension key may stand, and with which values. What it means is told at the head of openapi.yaml. */
export const extensions = {
  'x-scopes': { Root: (value) => Array.isArray(value) && value.length > 0 && value.every(isText) },
  'x-scope': { Operation: isText },
  'x-max-bytes': { RequestBody: (value) => Number.isInteger(value) && value > 0 },
  'x-described': {
    Operation: (value) => Array.isArray(value) && value.every(Number.isInteger),
    Parameter: oneOf(false),
  },
  'x-error': { Response: isText },
  'x-message': {
    Root: isText,
    Response: isText,
    Schema: (value) => isText(value) || Object.values(value ?? {}).every(isText),
  },
  'x-messages': { Root: (value) => Object.values(value ?? {}).every(isText) },
  'x-problem': { Root: (value) => value === true || (isText(value) && value.includes('{code}')) },
  'x-lenient': { Schema: oneOf(true, false) },
  'x-leading-number': { Schema: oneOf(true, false) },
  'x-trim': { Schema: oneOf(true, false) },
  'x-below-minimum': { Schema: oneOf('default', 'minimum') },
  'x-above-maximum': { Schema: oneOf('maximum') },
  'x-otherwise': { Schema: oneOf('absent', 'empty') },
  'x-response-headers': { Root: (value) => typeof value === 'object' && value !== null },
  'x-responses': { Root: (value) => typeof value === 'object' && value !== null },
  'x-sorted-by': { Schema: (value) => isText(value) && /^-?\w+$/.test(value) },
};

/** The known key that was probably meant by one that is not. */
const meantBy = (key) => {
  if (key in extensions) return undefined;
  const known = closest(key, Object.keys(extensions));
  return distance(key, known) <= 3 ? known : undefined;
};

/** The comment at the start of the file. */
const headOf = (body) => /^(#.*\n)*/.exec(body)?.[0] ?? '';

const hasExample = (node, resolve) => {
  if ('example' in node || Object.keys(node.examples ?? {}).length > 0) return true;
  const schema = node.schema?.$ref ? resolve(node.schema).node : node.schema;
  return schema !== undefined && 'example' in schema;
};

const operationScope = () => {
  let scopes;
  return {
    Root(root) {
      scopes = root['x-scopes'];
    },
    Operation(operation, { report, location }) {
      const scope = operation['x-scope'];
      if (scope !== undefined) {
        if (scopes && !scopes.includes(scope))
          report({
            message: `x-scope cannot be ${JSON.stringify(scope)}: x-scopes has ${scopes.join(', ')}.`,
            location: location.child('x-scope').key(),
          });
        return;
      }
      // A misspelt one is reported as that, and an operation for everybody has none.
      if (
        operation.security?.length === 0 ||
        Object.keys(operation).some((key) => meantBy(key) === 'x-scope')
      )
        return;
      report({ message: 'The operation has no x-scope: which keys may use it?', location: location.key() });
    },
  };
};

const examples = () => ({
  Parameter(parameter, { report, location, resolve }) {
    if (hasExample(parameter, resolve)) return;
    report({ message: `The parameter ${parameter.name} has no example.`, location });
  },
  MediaType(body, { report, location, resolve }) {
    if (hasExample(body, resolve)) return;
    report({ message: 'The body has no example.', location: location.key() });
  },
});

const schemas = () => ({
  MediaType(body, { report, location }) {
    if (body.schema) return;
    report({ message: 'The body has no schema.', location: location.key() });
  },
  Operation(operation, { report, location, resolve }) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      const { node } = response?.$ref ? resolve(response) : { node: response };
      if (!node || withoutBody.test(status) || Object.keys(node.content ?? {}).length > 0) continue;
      const where = location.child(['responses', status]).key();
      report({ message: `${status} has no content: which body does it have?`, location: where });
    }
  },
});

/** Statuses that an operation gives, and why: what it takes decides. */
const expectedStatuses = (operation, { security, components, 'x-scopes': [weakestScope] = [] }) => {
  const schemes = (operation.security ?? security ?? []).flatMap((one) => Object.keys(one));
  const needsKey = schemes.length > 0;
  // Limits are those of keys: people who are signed in with a cookie have none.
  const isLimited = schemes.some((name) => components?.securitySchemes?.[name]?.in !== 'cookie');
  const scope = operation['x-scope'];
  const isRefusable = (parameter) => parameter.required === true || parameter.schema?.type !== 'string';
  return {
    ...((operation.requestBody || operation.parameters?.some(isRefusable)) && {
      400: 'what it takes may be invalid',
    }),
    ...(needsKey && { 401: 'the key may be missing' }),
    ...(isLimited && { 429: 'the key may have used up its limit' }),
    ...(needsKey && scope && scope !== weakestScope && { 403: `the key may lack the scope ${scope}` }),
    ...(operation.requestBody && { 413: 'the body may be too large' }),
    500: 'the service may fail',
  };
};

const documentedStatuses = () => {
  let contract;
  return {
    Root(root) {
      contract = root;
    },
    Operation(operation, { report, location, resolve }) {
      const parameters = operation.parameters?.map((one) => (one.$ref ? resolve(one).node : one));
      const expected = expectedStatuses({ ...operation, parameters: parameters?.filter(Boolean) }, contract);
      for (const [status, reason] of Object.entries(expected)) {
        if (operation.responses && !(status in operation.responses))
          report({
            message: `${status} is not documented, but ${reason}.`,
            location: location.child('responses').key(),
          });
      }
    },
  };
};

const patterns = () => ({
  Schema({ pattern }, { report, location }) {
    if (!isText(pattern)) return;
    try {
      new RegExp(pattern, 'u');
    } catch (error) {
      report({ message: `Invalid pattern: ${error.message}.`, location: location.child('pattern') });
    }
  },
});

/** That they are numbers, as in OpenAPI 3.1, is found by Redocly's own rule, which hides such schemas from others. */
const exclusiveBounds = () => ({
  Schema(schema, { report, location }) {
    for (const [key, bound] of Object.entries({ exclusiveMinimum: 'minimum', exclusiveMaximum: 'maximum' }))
      if (schema[key] === true && schema[bound] === undefined)
        report({ message: `${key}: true needs a ${bound}.`, location: location.child(key).key() });
  },
});

const knownExtensions = () => ({
  any(node, { report, location, type }) {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    for (const [key, value] of Object.entries(node).filter(([name]) => name.startsWith('x-'))) {
      const problem = extensionProblem(key, value, type.name, headOf(location.source.body));
      if (problem) report({ message: problem, location: location.child(key).key() });
    }
  },
});

const extensionProblem = (key, value, place, head) => {
  const places = extensions[key];
  if (!places) {
    const meant = meantBy(key);
    const hint = meant ? `did you mean ${meant}?` : `there are ${Object.keys(extensions).join(', ')}.`;
    return `There is no extension key ${key}: ${hint}`;
  }
  const allows = places[place];
  if (!allows) return `${key} means nothing here: it belongs to ${Object.keys(places).join(', ')}.`;
  if (!allows(value)) return `${key} cannot be ${JSON.stringify(value)}.`;
  if (!new RegExp(`\\b${key}\\b`).test(head)) return `${key} is not explained at the head of the file.`;
  return undefined;
};

export default () => ({
  id: 'contract',
  rules: {
    oas3: {
      'operation-scope': operationScope,
      examples,
      schemas,
      'documented-statuses': documentedStatuses,
      patterns,
      'exclusive-bounds': exclusiveBounds,
      'known-extensions': knownExtensions,
    },
  },
});
