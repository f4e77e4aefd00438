import { readFileSync } from 'node:fs';
import { readContractSource } from './files/bundle.js';
import type { ReadContractFile } from './files/contractFiles.js';
import { successTypes } from './accept.js';
import { compileRequestBody, type RequestBody } from './bodyTypes.js';
import { directOperation, hasDirections } from './dialects/direction.js';
import {
  isJsonMedia,
  isObject,
  isOpenApi31,
  jsonMedia,
  linkRecursion,
  makeResolveReferences,
  mediaTypeOf,
  methods,
  withCommonParameters,
  withParameterSchemas,
  type ContractDocument,
  type OperationObject,
  type ReplyHeaders,
} from './document.js';
import { expandDiscriminators } from './dialects/discriminators.js';
import { adapted, asWritten } from './dialects/foreign.js';
import { normalizeOperation } from './dialects/jsonSchema.js';
import { compileMessages, type FallbackMessages, type FieldMessage } from './messages.js';
import { compileParameters, type ParameterReaders } from './parameters.js';
import type { PathTemplate } from './pathTemplate.js';
import { makeRecursiveSchemas } from './dialects/recursiveSchemas.js';
import { responseFor } from './responses.js';
import {
  ContractError,
  editText,
  serverUrlPath,
  type Path,
  type Position,
  type Refuse,
  type Source,
} from './source.js';
import { standardMessages, type Messages } from './standardMessages.js';
import {
  checkHead,
  checkOperation,
  checkWebhookPayloads,
  makePathCheck,
  type OperationContext,
} from './contractChecks.js';
import { makeCursor } from './cursor.js';
import { checkLinks } from './dialects/linkChecks.js';

/** Error code → the status that the contract gives it, and the text, if it gives one. */
export type Problems = ReadonlyMap<string, { readonly status: number; readonly text: string | undefined }>;

/** One operation with all that a request needs of it, worked out when the contract is loaded. */
export interface Operation {
  readonly id: string;
  /** `GET /orders`, as a person calls it. */
  readonly name: string;
  readonly template: PathTemplate;
  /** In lower case. */
  readonly method: string;
  /** Where it stands in the contract. */
  readonly location: Path;
  /** As the contract has it, with references resolved. */
  readonly definition: OperationObject;
  /** Any of these is enough; the schemes of one are needed together. None: everybody may use it. */
  readonly security: readonly (readonly string[])[];
  /** May a request also come without credentials? */
  readonly hasOptionalSecurity: boolean;
  /** The scopes of OAuth 2.0 that a scheme has to give. */
  readonly oauthScopes: Readonly<Record<string, readonly string[]>>;
  readonly scope: string | undefined;
  /** `undefined`: no body is read. */
  readonly requestBody: RequestBody | undefined;
  /** Is an answer documented as JSON under another name, such as `application/problem+json`? */
  readonly hasOtherJson: boolean;
  /** The media types of its successes. */
  readonly offered: readonly string[];
  /** Does `Accept` choose one of them? */
  readonly negotiates: boolean;
  readonly problems: Problems;
  readonly parameters: ParameterReaders;
  /** Of a request without a body. */
  readonly messageFor: FieldMessage;
}

/** The contract as it is used at run time. */
export interface Contract {
  /**
   * The file as the designer wrote it, with another address of the server; several files as one. Merge keys,
   * which not every reader of YAML knows, are replaced by what they stand for.
   */
  sourceFor(serverUrl: string): string;
  /** As written, with its references. */
  readonly document: ContractDocument;
  /** With every reference replaced by what it refers to. */
  readonly resolved: ContractDocument;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The texts of errors that belong to no response. */
  readonly messages: Messages;
  /** Has the build checked it, and compiled its schemas, without an error? */
  readonly isPrepared: boolean;
  /**
   * For a contract of another service, which may have a thousand operations: checks one before its first use,
   * and takes examples that do not fit from it. Throws `ContractError` when it can't be served.
   */
  readonly examine?: (operation: Operation) => void;
  /** Where a value of `resolved` stands in the file. */
  locate(path: Path): Position;
}

export interface ParseOptions {
  /** What its messages call the file. */
  readonly file?: string;
  /**
   * Is called for an operation that can't be served, which is then left out.
   * Needs neither scopes nor limits of size.
   */
  readonly onUnsupported?: (error: ContractError) => void;
  /** Was it written for another service? Then it is adapted to what is supported here. */
  readonly isForeign?: boolean;
  /** Reads the files that it refers to: from its folder, unless it is not there. */
  readonly readFile?: ReadContractFile;
}

/** Reads and compiles a contract. Throws `ContractError`. */
export const loadContract = (file: string, options: Omit<ParseOptions, 'file'> = {}): Contract =>
  parseContract(readFileSync(file, 'utf8'), { ...options, file });

export const parseContract = (text: string, options: ParseOptions = {}, prepared?: Source): Contract => {
  const { file = 'openapi.yaml', onUnsupported } = options;
  const adaptation = options.isForeign ? adapted : asWritten;
  const read = (given: string): Source => readContractSource(given, file, options.readFile);
  const written = prepared ?? read(text);
  const served = adaptation.text(text, written.document);
  const source = served === text ? written : read(served);
  const { faultOf, textFor } = source;
  const { document, at } = expandDiscriminators(source, adaptation.isForgiving);
  const refuse: Refuse = (path, what) => {
    throw new ContractError(what, at(path));
  };
  const isChecked = !onUnsupported && !prepared;
  const recursion = makeRecursiveSchemas({ adaptation, refuse, isChecked });
  const resolve = makeResolveReferences(document, refuse, {
    faultOf,
    onRecursion: recursion.note,
    isLarge: adaptation.isLarge,
  });
  if (!isObject(document)) return refuse([], 'the contract is missing');
  const { paths, 'x-response-headers': _headers, 'x-responses': _responses, ...rest } = document;
  const { components } = rest;
  const securitySchemes = resolve(isObject(components) ? components['securitySchemes'] : undefined, [
    'components',
    'securitySchemes',
  ]);
  const head = { ...adaptation.head(rest, securitySchemes), paths };
  checkHead(head, refuse);
  const resolved: ContractDocument = { ...(head as unknown as ContractDocument), paths: {} };
  if (hasDirections(document)) resolved['x-directed'] = true;
  const operations = new Map<string, Operation>();
  const is31 = isOpenApi31(resolved);
  const { 'x-message': fallback } = resolved;
  const messages: Messages = { ...standardMessages, ...resolved['x-messages'] };
  const fallbackMessages: FallbackMessages = {
    field: fallback ?? messages.field,
    readOnly: fallback ?? messages.read_only,
    request: fallback ?? messages.request,
  };
  const checkPath = makePathCheck(refuse, adaptation.isForgiving);

  const addOperation = (context: OperationContext, item: Record<string, unknown>, method: string): void => {
    const { here, location } = context;
    const [root, path] = location;
    const common = resolve(item['parameters'] ?? [], [root, path, 'parameters'] as Path);
    const written = withCommonParameters(resolve(item[method], location), common);
    const { parameters: pathParameters } = context.template;
    const definition = adaptation.operation(written, here, { pathParameters, is31 }, (what) =>
      refuse(location, what),
    );
    recursion.add(resolved);
    if (isChecked) linkRecursion(definition, recursion.written);
    const judged = prepared
      ? (definition as OperationObject)
      : checkOperation(definition, context, refuse, {
          document: resolved,
          mocked: onUnsupported !== undefined,
        });
    const described = withParameterSchemas(judged);
    const normalized = is31 ? normalizeOperation(described) : described;
    const checked = resolved['x-directed'] ? directOperation(normalized) : normalized;
    if (resolved['x-recursive']) linkRecursion(checked, resolved['x-recursive']);
    const { operationId: id } = checked;
    const other = operations.get(id);
    if (other)
      refuse([...location, 'operationId'], `${here}: the operationId ${id} belongs to ${other.name} already`);
    operations.set(id, compileOperation(checked, context, method, resolved, fallbackMessages));
    resolved.paths[String(path)] = { ...resolved.paths[String(path)], [method]: checked };
  };

  /** What can't be served ends the loading, or is left out. */
  const attempt = <T>(add: () => T): T | undefined => {
    try {
      return add();
    } catch (error) {
      if (!onUnsupported || !(error instanceof ContractError)) throw error;
      onUnsupported(error);
      return undefined;
    }
  };

  for (const [path, item] of Object.entries(paths as Record<string, unknown>)) {
    if (path.startsWith('x-')) continue;
    const template = attempt(() => {
      const fault = isObject(item) ? faultOf?.(item) : undefined;
      if (fault) throw fault;
      return checkPath(path, item);
    });
    if (!template) continue;
    for (const method of methods.filter((name) => Object.hasOwn(item as object, name))) {
      const context = {
        here: `${method.toUpperCase()} ${path}`,
        location: ['paths', path, method],
        template,
      };
      attempt(() => addOperation(context, item as Record<string, unknown>, method));
    }
  }
  // Those of others may lead to operations that are left out.
  if (!onUnsupported) {
    checkLinks(operations, resolved, refuse);
    const { webhooks } = document;
    if (webhooks !== undefined && !prepared)
      checkWebhookPayloads(makeCursor(resolve(webhooks, ['webhooks']), refuse, ['webhooks']), is31);
  }
  return {
    sourceFor: (address) => {
      if (textFor) return textFor(address);
      const range = source.serverUrl() ?? refuse(serverUrlPath, 'servers[0].url is missing');
      return editText(served, [...source.mergeKeys(), { range, text: JSON.stringify(address) }]);
    },
    document: source.document as ContractDocument,
    resolved,
    operations,
    messages,
    isPrepared: prepared !== undefined,
    locate: at,
  };
};

const compileOperation = (
  definition: OperationObject,
  { here, location, template }: OperationContext,
  method: string,
  { security = [] }: ContractDocument,
  fallbackMessages: FallbackMessages,
): Operation => {
  const parameters = definition.parameters ?? [];
  const requirements = definition.security ?? security;
  const requestBody = compileRequestBody(definition, parameters, fallbackMessages);
  const [bodyType] = requestBody?.types ?? [];
  const responses = Object.entries(definition.responses);
  const offered = successTypes(definition);
  const problems = new Map(
    responses.flatMap(([status, { 'x-error': code, 'x-message': text }]) =>
      code === undefined ? [] : [[code, { status: Number(status), text }]],
    ),
  );
  return {
    id: definition.operationId,
    name: here,
    template,
    method,
    location,
    definition,
    security: requirements.map((schemes) => Object.keys(schemes)).filter((names) => names.length > 0),
    hasOptionalSecurity: requirements.some((schemes) => Object.keys(schemes).length === 0),
    oauthScopes: Object.assign({}, ...requirements) as Record<string, readonly string[]>,
    scope: definition['x-scope'],
    requestBody,
    hasOtherJson: responses.some(([, { content = {} }]) =>
      Object.keys(content).some((media) => media !== jsonMedia && isJsonMedia(media)),
    ),
    offered,
    // What is in a range, as contracts of others have them, only their service knows.
    negotiates:
      !offered.some((media) => media.includes('*')) &&
      (offered.length > 1 || (offered.length === 1 && Object.hasOwn(definition.responses, 406))),
    problems,
    parameters: compileParameters(parameters),
    messageFor: bodyType?.messageFor ?? compileMessages(parameters, undefined, fallbackMessages),
  };
};

/**
 * The content type of a reply: the one that its handler chose, or else the one that the client accepts, or
 * else the first that is JSON, or the only one that is not. `undefined` if the contract does not document it.
 */
export const contentTypeOf = (
  { definition }: Operation,
  { status, headers }: { readonly status: number; readonly headers?: ReplyHeaders },
  kind: 'json' | 'stream',
  accepted?: string,
): string | undefined => {
  const documented = Object.keys(responseFor(definition.responses, status)?.content ?? {}).filter(
    (media) => isJsonMedia(media) === (kind === 'json'),
  );
  const chosen = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (chosen === undefined && accepted !== undefined && documented.includes(accepted)) return accepted;
  if (chosen === undefined) return kind === 'json' || documented.length === 1 ? documented[0] : undefined;
  if (typeof chosen !== 'string') return undefined;
  return documented.includes(mediaTypeOf(chosen) ?? '') ? chosen : undefined;
};
