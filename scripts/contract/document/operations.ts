import { fieldsOf, isObject, listOf, textOf } from './json.js';
import type { Reader } from './reader.js';
import type { Place } from './references.js';
import type { Body, Described, Header, Operation, Parameter, Response } from './types.js';

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Reads the operations of a document. */
export const readOperations = (reader: Reader): Operation[] => {
  const paths = reader.go(reader.start, 'paths');
  return Object.keys(fieldsOf(paths.value)).flatMap((path) => {
    const item = reader.go(paths, path);
    return methods
      .filter((method) => isObject(fieldsOf(item.value)[method]))
      .map((method) => readOperation(reader, item, path, method));
  });
};

const readOperation = (reader: Reader, item: Place, path: string, method: string): Operation => {
  const place = reader.go(item, method);
  const whole = fieldsOf(reader.whole(place));
  const operationId = textOf(whole['operationId']);
  const request = reader.go(place, 'requestBody');
  const body = readBody(reader, request);
  return {
    id: operationId ?? `${method.toUpperCase()} ${path}`,
    operationId,
    method: method.toUpperCase(),
    path,
    pointer: place.pointer,
    scope: textOf(whole['x-scope']),
    parameters: readParameters(reader, item, place),
    requestBody: body && { ...body, required: fieldsOf(request.value)['required'] === true },
    responses: reader
      .each(reader.go(place, 'responses'))
      .filter(([status]) => /^\d{3}$/.test(status))
      .map(([status, response]) => readResponse(reader, Number(status), response)),
    resolved: whole,
  };
};

/** An operation's own parameters take the place of those of its path. */
const readParameters = (reader: Reader, item: Place, operation: Place): Parameter[] => {
  const found = new Map<string, Parameter>();
  for (const list of [reader.go(item, 'parameters'), reader.go(operation, 'parameters')]) {
    for (const [index] of listOf(list.value).entries()) {
      const place = reader.go(list, index);
      const { name, in: where, required } = fieldsOf(place.value);
      const parameter = {
        ...readDescribed(reader, place),
        name: String(name),
        in: where as Parameter['in'],
        required: required === true,
      };
      found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...found.values()];
};

const readResponse = (reader: Reader, status: number, place: Place): Response => ({
  status,
  errorCode: textOf(fieldsOf(place.value)['x-error']),
  pointer: place.pointer,
  headers: reader.each(reader.go(place, 'headers')).map(([name, header]): Header => ({
    ...readDescribed(reader, header),
    name,
    required: fieldsOf(header.value)['required'] === true,
  })),
  body: readBody(reader, place),
});

const readBody = (reader: Reader, place: Place): Body | undefined => {
  const [first] = reader.each(reader.go(place, 'content'));
  return first && { mediaType: first[0], ...readDescribed(reader, first[1]) };
};

const readDescribed = (reader: Reader, place: Place): Described => {
  const schema = reader.go(place, 'schema');
  const whole = reader.whole(schema);
  const single = 'example' in fieldsOf(place.value) ? [['', reader.go(place, 'example')] as const] : [];
  const named = reader
    .each(reader.go(place, 'examples'))
    .map(([name, example]) => [name, reader.go(example, 'value')] as const);
  return {
    pointer: place.pointer,
    schema: isObject(whole) ? whole : undefined,
    schemaPointer: schema.pointer,
    examples: [...single, ...named].map(([name, { value, pointer: at }]) => ({ name, value, pointer: at })),
  };
};
