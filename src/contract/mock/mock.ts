import { OpenAPIBackend } from 'openapi-backend';
import { makeCachedBody } from '../../lib/cachedBody.js';
import type { Contract, Operation } from '../contract.js';
import {
  headerText,
  isObject,
  isOpenApi31,
  jsonContentOf,
  jsonMedia,
  type ContractDocument,
  type Described,
  type Header,
  type ReplyHeaders,
  type Response,
} from '../document.js';
import { withoutRefusedFields } from '../dialects/direction.js';
import { boundRecursion } from './boundedSchema.js';
import { responseFor, responseKey, statusesOf } from '../responses.js';
import { errorFields, withFields } from './fittingFields.js';
import type { AnyReply, BodyGenerator, OperationRequest } from '../runtime/request.js';
import type { FitsReply } from '../runtime/validators.js';
import { CodedError } from '../../errors/codedError.js';

/**
 * Answers from the examples of an operation, or with generated bodies,
 * as the request's `Prefer` header chooses.
 */
type Mock = (request: OperationRequest<unknown>) => AnyReply;

/**
 * `Prefer` asks for a status or an example that the contract does not have. The message lists those it has.
 */
export class UnknownPreference extends CodedError<'unknown-preference'> {
  override readonly name = 'UnknownPreference';

  constructor(message: string) {
    super('unknown-preference', message, { kind: 'invalid' });
  }
}

/** What may be chosen of one status. */
interface Choice {
  readonly status: number;
  readonly names: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** A named example; without a name the first one, or what is made of the schema. */
  body(request: OperationRequest<unknown>, name?: string): unknown;
}

/** These are set where the answer is written, mocked or not. */
const headersSetElsewhere = [
  ...['x-request-id', 'x-content-type-options', 'etag', 'date'],
  // Those of the connection and of the body, which a contract of somebody else may document.
  ...[
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'keep-alive',
    'transfer-encoding',
    'upgrade',
  ],
];

/** Where the bodies of mocks come from. */
export interface MockBodies {
  readonly generate: BodyGenerator;
  /** Is the first example of a status its body, if it has one? */
  readonly prefersExamples: boolean;
}

/** Makes the same body of a schema each time. */
export const makeBodyGenerator = async (contract: Contract, fitsReply: FitsReply): Promise<BodyGenerator> => {
  const { resolved } = contract;
  const backends = new Map<string, OpenAPIBackend>();
  const backendOf = ({ id, location, method, definition }: Operation): OpenAPIBackend => {
    const known = backends.get(id);
    if (known) return known;
    const alone = { ...resolved, paths: { [String(location[1])]: { [method]: definition } } };
    const backend = new OpenAPIBackend({
      definition: withPlainJson(withoutRecursion(alone)),
      quick: true,
      strict: false,
      validate: false,
    });
    // With these options it is ready at once.
    void backend.init();
    backends.set(id, backend);
    return backend;
  };
  const simple: BodyGenerator = (operation, status): unknown => {
    const { id, definition } = operation;
    // It looks its status up among the entries, and knows no ranges.
    const code = responseKey(definition.responses, status) as unknown as number;
    return backendOf(operation).mockResponseForOperation(id, { code }).mock;
  };
  /** An error says what is known of it. */
  const told =
    (generate: BodyGenerator): BodyGenerator =>
    (operation, status, request) => {
      const body = generate(operation, status, request);
      const fields = errorFields(contract, operation, status, request);
      return isObject(body) && fields
        ? withFields(body, fields, (candidate) => fitsReply(operation, status, candidate))
        : body;
    };
  if (!isOpenApi31(resolved)) return told(simple);
  // openapi-backend's mocks do not know what JSON Schema 2020-12 has more.
  const { loadFittingValue } = await import('./dynamic/fittingValue.js');
  const generate = await loadFittingValue(fitsReply);
  return told(
    (operation, status, request) =>
      generate(operation, status, [operation.id, status])?.value ?? simple(operation, status, request),
  );
};

/** With JSON under the name that openapi-backend knows. */
const withPlainJson = (document: ContractDocument): ContractDocument => ({
  ...document,
  paths: mapFields(document.paths, (item) =>
    mapFields(item, (operation) => ({
      ...operation,
      responses: mapFields(operation.responses, (response) => {
        const json = jsonContentOf(response.content);
        return json && json.media !== jsonMedia
          ? { ...response, content: { ...response.content, [jsonMedia]: json.described } }
          : response;
      }),
    })),
  ),
});

/**
 * Only with answers, which end: openapi-backend follows all references,
 * and makes values of all that a schema has.
 */
const withoutRecursion = (document: ContractDocument): ContractDocument => {
  const { 'x-recursive': recursive, 'x-directed': isDirected, ...rest } = document;
  if (!recursive && !isDirected) return document;
  const boundContent = (content: Record<string, Described>): Record<string, Described> =>
    mapFields(content, (media) =>
      media.schema
        ? { ...media, schema: withoutRefusedFields(boundRecursion(media.schema, 'nothing')) }
        : media,
    );
  const boundResponse = (response: Response): Response =>
    response.content ? { ...response, content: boundContent(response.content) } : response;
  return {
    ...rest,
    paths: mapFields(document.paths, (item) =>
      mapFields(item, ({ operationId, responses }) => ({
        operationId,
        responses: mapFields(responses, boundResponse),
      })),
    ),
  };
};

const mapFields = <T>(fields: Record<string, T>, change: (field: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));

export const makeMockBodies = async (
  contract: Contract,
  seed: number | undefined,
  fitsReply: FitsReply,
): Promise<MockBodies> => {
  const otherwise = await makeBodyGenerator(contract, fitsReply);
  if (seed === undefined) return { generate: otherwise, prefersExamples: true };
  const { makeDynamicBodies } = await import('./dynamic/dynamicBodies.js');
  const generate = await makeDynamicBodies(contract, { seed, fitsReply, otherwise });
  return { generate, prefersExamples: false };
};

/**
 * Answers as an operation is documented. Is compiled for the first request,
 * after its examples have been examined.
 */
export const makeMockOperation = (operation: Operation, bodies: MockBodies): Mock => {
  let mock: Mock | undefined;
  return (request) => {
    mock ??= compileMock(operation, bodies);
    const mocked = mock(request);
    return request.rateLimit ? { ...mocked, headers: withoutRateLimits(mocked.headers ?? {}) } : mocked;
  };
};

/** The real figures of a key with a limit are sent instead of the examples. */
const withoutRateLimits = (headers: ReplyHeaders): ReplyHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^ratelimit-/i.test(name)));

const compileMock = (operation: Operation, bodies: MockBodies): Mock => {
  const { id, definition } = operation;
  const choiceFor = (status: number): Choice[] => {
    const response = responseFor(definition.responses, status);
    return response ? [choiceOf(operation, status, response, bodies)] : [];
  };
  const choices = statusesOf(definition.responses).flatMap(choiceFor);
  const standard = choices.find(({ status }) => status >= 200 && status < 300) ?? choices[0];

  const byType = new Map<string, Choice>();
  /** The same with the media type that the client accepts, where there are several. */
  const accepting = (choice: Choice | undefined, type: string | undefined): Choice | undefined => {
    const response = choice && responseFor(definition.responses, choice.status);
    const described = type === undefined ? undefined : response?.content?.[type];
    if (!choice || !response || !described || type === undefined || !operation.negotiates) return choice;
    const key = `${String(choice.status)} ${type}`;
    const known =
      byType.get(key) ??
      choiceOf(operation, choice.status, { ...response, content: { [type]: described } }, bodies);
    byType.set(key, known);
    return known;
  };

  const chooseStatus = (code: string | undefined, example: string | undefined): Choice | undefined => {
    if (code !== undefined) return /^[1-5]\d\d$/.test(code) ? choiceFor(Number(code))[0] : undefined;
    if (example === undefined || standard?.names.includes(example)) return standard;
    return choices.find(({ names }) => names.includes(example)) ?? standard;
  };

  return (request) => {
    const preferences = parsePrefer(request.headers['prefer']);
    const [code, example] = [preferences.get('code'), preferences.get('example')];
    const choice = accepting(chooseStatus(code, example), request.accepted);
    if (!choice) {
      const statuses = Object.keys(definition.responses).join(', ');
      throw new UnknownPreference(`Prefer: ${id} has no code=${code ?? ''}, but: ${statuses}`);
    }
    if (example !== undefined && !choice.names.includes(example)) {
      const among = code === undefined ? choices : [choice];
      const names = among.flatMap((one) => one.names).join(', ') || 'none with a name';
      const where = code === undefined ? id : `${id} ${code}`;
      throw new UnknownPreference(`Prefer: ${where} has no example=${example}, but: ${names}`);
    }
    const applied = [...preferences].filter(([name]) => name === 'code' || name === 'example');
    const headers =
      applied.length === 0
        ? choice.headers
        : { ...choice.headers, 'Preference-Applied': formatAppliedPreferences(applied) };
    return { status: choice.status, body: choice.body(request, example), headers };
  };
};

const choiceOf = (
  operation: Operation,
  status: number,
  response: Response,
  { generate, prefersExamples }: MockBodies,
): Choice => {
  const media = jsonContentOf(response.content)?.described;
  const [streamed] = media ? [] : Object.entries(response.content ?? {});
  if (streamed) return streamedChoice(status, ...streamed);
  const named = Object.entries(media?.examples ?? {}).filter(([, example]) => 'value' in example);
  const headers = response.headers ?? {};
  const isList = Object.keys(headers).some((name) => name.toLowerCase() === 'etag');
  const first = (request: OperationRequest<unknown>): unknown => {
    if (prefersExamples && media?.example !== undefined) return media.example;
    return prefersExamples && named[0] ? named[0][1].value : generate(operation, status, request);
  };
  const bodyOf = (request: OperationRequest<unknown>, name: string | undefined): unknown =>
    name === undefined ? first(request) : named.find(([known]) => known === name)?.[1].value;
  return {
    status,
    names: named.map(([name]) => name),
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, header]) => {
        const value = exampleOf(header);
        return headersSetElsewhere.includes(name.toLowerCase()) || value === undefined
          ? []
          : [[name, headerText(value)]];
      }),
    ),
    // A body that is kept comes with its ETag, and with 304.
    body: (request, name) =>
      media && isList ? makeCachedBody(bodyOf(request, name)) : media && bodyOf(request, name),
  };
};

/** A body that is not JSON is its example as it is. */
const streamedChoice = (
  status: number,
  type: string,
  { example, examples = {}, schema }: Described,
): Choice => {
  const named = Object.entries(examples);
  const first = example ?? named[0]?.[1].value ?? schema?.example ?? '';
  return {
    status,
    names: named.map(([name]) => name),
    headers: { 'Content-Type': type },
    body: (_request, name) =>
      Buffer.from(
        headerText(name === undefined ? first : named.find(([known]) => known === name)?.[1].value),
      ),
  };
};

/** A header that is written as not required is left out: the contract says it is not always there. */
const exampleOf = ({ required, example, examples = {}, schema = {} }: Header): unknown =>
  required === false
    ? undefined
    : (example ?? Object.values(examples)[0]?.value ?? schema.example ?? schema.default ?? schema.enum?.[0]);

/** What a request would like: RFC 7240. */
type Preferences = ReadonlyMap<string, string>;

// Written out, not put together, so that the linter sees
// whether one of them could take long for a hostile header.
const isToken = /^[\w!#$%&'*+.^`|~-]+$/;
const preference = /^([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")?)?$/;
// A quote that is never closed goes on to the end.
const betweenCommas = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;
const betweenSemicolons = /(?:[^;"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;

/** The parts of a text between separators that do not stand in quotes. */
const splitUnquoted = (text: string, part: RegExp): string[] =>
  (text.match(part) ?? []).map((found) => found.trim());

/**
 * The preferences by name. Of several with one name the first counts; their parameters mean nothing to us.
 */
export const parsePrefer = (header: string | string[] | undefined): Preferences => {
  const preferences = new Map<string, string>();
  for (const part of splitUnquoted((header ?? '').toString(), betweenCommas)) {
    const [, name, value = ''] = preference.exec(splitUnquoted(part, betweenSemicolons)[0] ?? '') ?? [];
    if (name !== undefined && !preferences.has(name.toLowerCase()))
      preferences.set(name.toLowerCase(), unquote(value));
  }
  return preferences;
};

const unquote = (value: string): string =>
  value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;

/** What `Preference-Applied` says of preferences that were met. */
const formatAppliedPreferences = (applied: readonly (readonly [name: string, value: string])[]): string =>
  applied
    .map(([name, value]) => `${name}=${isToken.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`)
    .join(', ');
