import { jsonFields, isJson, jsonList, jsonText } from './json.js';
import type { Reader } from './reader.js';
import type { DocumentNode } from './references.js';
import type {
  BodyModel,
  DescribedModel,
  HeaderModel,
  OperationModel,
  ParameterModel,
  ResponseModel,
} from './types.js';

export const documentMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Reads the operations of a document. */
export const readOperations = (reader: Reader): OperationModel[] => {
  const paths = reader.go(reader.start, 'paths');
  return Object.keys(jsonFields(paths.value)).flatMap((path) => {
    const item = reader.go(paths, path);
    return documentMethods
      .filter((method) => isJson(jsonFields(item.value)[method]))
      .map((method) => readOperation(reader, item, path, method));
  });
};

const readOperation = (reader: Reader, item: DocumentNode, path: string, method: string): OperationModel => {
  const place = reader.go(item, method);
  const whole = jsonFields(reader.whole(place));
  const operationId = jsonText(whole['operationId']);
  const request = reader.go(place, 'requestBody');
  const body = readBody(reader, request);
  const { required, 'x-max-bytes': maxBytes } = jsonFields(request.value);
  return {
    id: operationId ?? `${method.toUpperCase()} ${path}`,
    operationId,
    method: method.toUpperCase(),
    path,
    pointer: place.pointer,
    scope: jsonText(whole['x-scope']),
    parameters: readParameters(reader, item, place),
    requestBody: body && {
      ...body,
      required: required === true,
      maxBytes: typeof maxBytes === 'number' ? maxBytes : undefined,
    },
    responses: reader
      .each(reader.go(place, 'responses'))
      .filter(([status]) => /^\d{3}$/.test(status))
      .map(([status, response]) => readResponse(reader, Number(status), response)),
    resolved: whole,
  };
};

/** An operation's own parameters take the place of those of its path. */
const readParameters = (reader: Reader, item: DocumentNode, operation: DocumentNode): ParameterModel[] => {
  const found = new Map<string, ParameterModel>();
  for (const list of [reader.go(item, 'parameters'), reader.go(operation, 'parameters')]) {
    for (const [index] of jsonList(list.value).entries()) {
      const place = reader.go(list, index);
      const { name, in: where, required } = jsonFields(place.value);
      const parameter = {
        ...readDescribed(reader, place),
        name: String(name),
        in: where as ParameterModel['in'],
        required: required === true,
      };
      found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...found.values()];
};

const readResponse = (reader: Reader, status: number, place: DocumentNode): ResponseModel => ({
  status,
  errorCode: jsonText(jsonFields(place.value)['x-error']),
  pointer: place.pointer,
  headers: reader.each(reader.go(place, 'headers')).map(([name, header]): HeaderModel => ({
    ...readDescribed(reader, header),
    name,
    required: jsonFields(header.value)['required'] === true,
  })),
  body: readBody(reader, place),
});

const readBody = (reader: Reader, place: DocumentNode): BodyModel | undefined => {
  const [first] = reader.each(reader.go(place, 'content'));
  return first && { mediaType: first[0], ...readDescribed(reader, first[1]) };
};

const readDescribed = (reader: Reader, place: DocumentNode): DescribedModel => {
  const schema = reader.go(place, 'schema');
  const whole = reader.whole(schema);
  const single = 'example' in jsonFields(place.value) ? [['', reader.go(place, 'example')] as const] : [];
  const named = reader
    .each(reader.go(place, 'examples'))
    .map(([name, example]) => [name, reader.go(example, 'value')] as const);
  return {
    pointer: place.pointer,
    schema: isJson(whole) ? whole : undefined,
    schemaPointer: schema.pointer,
    examples: [...single, ...named].map(([name, { value, pointer: at }]) => ({ name, value, pointer: at })),
  };
};
