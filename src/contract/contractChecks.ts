import { makeCursor, oneOf, type Cursor } from './cursor.js';
import {
  hasFields,
  isFormMedia,
  isJsonMedia,
  isOpenApi31,
  isProblemForm,
  isUnvalidated,
  jsonMedia,
  multipartMedia,
  methods,
  type ContractDocument,
  type OperationObject,
  type Parameter,
  type ParameterLocation,
} from './document.js';
import { checkForm } from './bodies/formChecks.js';
import { findObjectFault, valueSchema } from './objectParameters.js';
import { isExploded } from './parameters.js';
import { parameterStyles } from './parameterStyles.js';
import { parsePathTemplate, type PathTemplate } from './pathTemplate.js';
import { isBodiless, isExactStatus, isStatusKey } from './responses.js';
import { checkDialect, checkSchema, type SchemaContext } from './schemaChecks.js';
import type { Path, Refuse } from './source.js';
import { standardMessages } from './standardMessages.js';

const places: readonly ParameterLocation[] = ['path', 'query', 'header', 'cookie'];

/** Refuses what surrounds the operations, if the service could not serve it. References must be resolved. */
export const checkHead = (document: unknown, refuse: Refuse): void => {
  const contract = makeCursor(document, refuse);
  contract.fields('the contract');
  const version = contract.field('openapi');
  if (!/^3\.[01]\.\d+$/.test(String(version.value)))
    version.refuse('openapi must be a version 3.0 or 3.1, such as 3.0.3 or 3.1.1');
  checkDialect(contract.field('jsonSchemaDialect'), 'jsonSchemaDialect');
  contract.field('info').field('title').text('info.title');
  contract.field('info').field('version').text('info.version');
  const [server] = contract.field('servers').items('servers');
  (server ?? contract.field('servers')).field('url').text('servers[0].url');
  if (server?.has('variables'))
    for (const [name, variable] of server.field('variables').fields('servers[0].variables'))
      variable.field('default').text(`servers[0].variables.${name}.default`);
  const components = contract.field('components');
  components.fields('components');
  if (components.has('securitySchemes'))
    for (const [name, scheme] of components.field('securitySchemes').fields('components.securitySchemes'))
      checkSecurityScheme(name, scheme);
  if (contract.has('security')) checkSecurity(contract.field('security'), document as ContractDocument);
  if (contract.has('x-scopes'))
    for (const scope of contract.field('x-scopes').items('x-scopes')) scope.text('a scope in x-scopes');
  if (contract.has('x-message')) contract.field('x-message').text('x-message');
  if (contract.has('x-messages')) checkMessages(contract.field('x-messages'));
  const problem = contract.field('x-problem');
  if (contract.has('x-problem') && !isProblemForm(problem.value))
    problem.refuse('x-problem must be true, or the address of the types of problems with {code} in it');
  contract.field('paths').fields('paths');
};

/** Refuses `x-messages` with a name that means nothing, or without a text. */
const checkMessages = (messages: Cursor): void => {
  for (const [name, text] of messages.fields('x-messages')) {
    if (!Object.hasOwn(standardMessages, name))
      text.refuse(`x-messages: ${name} is none of ${Object.keys(standardMessages).join(', ')}`);
    text.text(`x-messages.${name}`);
  }
};

const checkSecurityScheme = (name: string, scheme: Cursor): void => {
  const what = `components.securitySchemes.${name}`;
  oneOf(scheme.field('type'), ['http', 'apiKey', 'oauth2', 'openIdConnect'], `${what}: type`);
  if (scheme.field('type').value === 'http') {
    const { value } = scheme.field('scheme');
    if (!['bearer', 'basic'].includes(String(value).toLowerCase()))
      scheme
        .field('scheme')
        .refuse(`${what}: scheme is ${JSON.stringify(value)}: bearer and basic are supported`);
    return;
  }
  if (scheme.field('type').value !== 'apiKey') return;
  oneOf(scheme.field('in'), ['header', 'query', 'cookie'], `${what}: in`);
  scheme.field('name').text(`${what}: name`);
};

const checkSecurity = (security: Cursor, { components }: ContractDocument): void => {
  const declared = Object.keys(components.securitySchemes ?? {});
  const known = new Map<string, string>();
  for (const requirement of security.items('security'))
    for (const [name, scopes] of requirement.fields('a requirement of security')) {
      if (!declared.includes(name)) scopes.refuse(`components.securitySchemes.${name} is missing`);
      const wanted = JSON.stringify(
        scopes.items(`the scopes of ${name}`).map((scope) => scope.text('a scope')),
      );
      if (known.has(name) && known.get(name) !== wanted)
        scopes.refuse(`${name} has other scopes in another requirement of the same list`);
      known.set(name, wanted);
    }
};

/** Refuses a path that could not be matched, or that matches the same as another one. */
export const makePathCheck = (refuse: Refuse, mocked: boolean) => {
  const known = new Map<string, string>();
  return (path: string, item: unknown): PathTemplate => {
    const at = ['paths', path];
    const cursor = makeCursor(item, refuse, at);
    cursor.fields(path);
    if (cursor.has('$ref')) cursor.field('$ref').refuse(`${path}: $ref of a path is not supported`);
    if (!mocked && cursor.has('servers'))
      cursor.field('servers').refuse(`${path}: servers of a path are not supported`);
    if (!path.startsWith('/')) refuse(at, `the path "${path}" must begin with /`);
    const template = parsed(path, at, refuse);
    const other = known.get(template.shape);
    if (other !== undefined) refuse(at, `${path} matches the same paths as ${other}`);
    known.set(template.shape, path);
    return template;
  };
};

const parsed = (path: string, at: Path, refuse: Refuse): PathTemplate => {
  try {
    return parsePathTemplate(path);
  } catch (error) {
    return refuse(at, `${path}: ${(error as Error).message}`);
  }
};

export interface OperationContext {
  /** `GET /orders`, as a person calls it. */
  readonly here: string;
  readonly location: Path;
  readonly template: PathTemplate;
}

export interface OperationCheckOptions {
  readonly document: ContractDocument;
  /** Does a mock serve it? That needs neither scopes nor limits. */
  readonly mocked: boolean;
}

/** Refuses an operation that the service could not serve as it is written. References must be resolved. */
export const checkOperation = (
  definition: unknown,
  { here, location, template }: OperationContext,
  refuse: Refuse,
  { document, mocked }: OperationCheckOptions,
): OperationObject => {
  const operation = makeCursor(definition, refuse, location);
  operation.fields(here);
  const id = operation.field('operationId');
  // Names of handlers and methods; a mock has neither.
  if (!/^[a-z]\w*$/i.test(id.text(`${here}: operationId`)) && !mocked)
    id.refuse(`${here}: the operationId "${String(id.value)}" must be a name, such as listOrders`);
  if (operation.has('security')) checkSecurity(operation.field('security'), document);
  const { security = document.security ?? [] } = definition as OperationObject;
  const needsKey = security.some((requirement) => Object.keys(requirement).length > 0);
  if (operation.has('x-scope') || (needsKey && !mocked && document['x-scopes']))
    checkScope(operation.field('x-scope'), document, `${here}: x-scope`);
  // Optional credentials count as none in a mock.
  if (!needsKey && !mocked && operation.has('x-scope'))
    operation.field('x-scope').refuse(`${here}: x-scope means nothing for an operation that needs no key`);
  const parameters = operation.has('parameters')
    ? operation.field('parameters').items(`${here}: parameters`)
    : [];
  const is31 = isOpenApi31(document);
  const context = { here, is31, mocked };
  for (const parameter of parameters) checkParameter(parameter, context, template);
  checkPathParameters(operation, parameters, here, template);
  if (operation.has('requestBody')) checkRequestBody(operation.field('requestBody'), context);
  if (operation.has('servers'))
    operation.field('servers').refuse(`${here}: servers of an operation are not supported`);
  if (operation.has('callbacks'))
    for (const [name, callback] of operation.field('callbacks').fields(`${here}: callbacks`))
      for (const [address, item] of callback.fields(`${here}: the callback ${name}`))
        checkSentItem(item, { ...context, here: `${here}: the callback ${name}, ${address}` });
  const responses = operation.field('responses');
  const statuses = responses.fields(`${here}: responses`).filter(([name]) => !name.startsWith('x-'));
  if (statuses.length === 0) responses.refuse(`${here}: there is no response`);
  for (const [status, response] of statuses) checkResponse(status, response, context);
  return definition as OperationObject;
};

/**
 * What a service sends itself, on a path of somebody else:
 * described and typed, not served. References must be resolved.
 */
export const checkWebhookPayloads = (webhooks: Cursor, is31: boolean): void => {
  if (!is31) webhooks.refuse('webhooks came with OpenAPI 3.1');
  for (const [name, item] of webhooks.fields('webhooks'))
    checkSentItem(item, { here: `the webhook ${name}`, is31, mocked: false });
};

const checkSentItem = (item: Cursor, context: SchemaContext): void => {
  const { here } = context;
  const sent = item.fields(here).filter(([name]) => methods.includes(name));
  if (sent.length === 0) item.refuse(`${here} has no method`);
  for (const [method, operation] of sent) {
    const what = { ...context, here: `${here}: ${method}` };
    if (operation.has('requestBody')) {
      const contents = operation.field('requestBody').field('content').fields(`${what.here}: content`);
      for (const [media, content] of contents) if (isJsonMedia(media)) checkJson(content, what);
    }
    const responses = operation.field('responses').fields(`${what.here}: responses`);
    for (const [status, response] of responses)
      if (!status.startsWith('x-')) checkResponse(status, response, what);
  }
};

/** One of those that the contract names, where it names them. */
const checkScope = (scope: Cursor, { 'x-scopes': scopes }: ContractDocument, what: string): void => {
  if (scopes) oneOf(scope, scopes, what);
  else scope.text(what);
};

const checkPathParameters = (
  operation: Cursor,
  parameters: readonly Cursor[],
  here: string,
  template: PathTemplate,
): void => {
  const declared = parameters.map(({ value }) => value as Parameter).filter((one) => one.in === 'path');
  for (const name of template.parameters)
    if (!declared.some((parameter) => parameter.name === name))
      operation.refuse(`${here}: the parameter {${name}} of the path is not described`);
};

const checkRequestBody = (body: Cursor, context: SchemaContext): void => {
  const { here, mocked } = context;
  const contents = body.field('content').fields(`${here}: requestBody: content`);
  if (contents.length === 0) body.field('content').refuse(`${here}: requestBody: content is empty`);
  for (const [media, content] of contents) {
    checkMediaType(media, content, `${here}: requestBody`);
    const inBody = { ...context, here: `${here}: requestBody` };
    if (hasFields(media)) checkJson(content, inBody);
    else if (!mocked) checkStreamedBody(media, content, inBody.here);
    if (isFormMedia(media) && !mocked) checkForm(content, inBody);
  }
  const limit = body.field('x-max-bytes');
  if (mocked && limit.value === undefined) return;
  if (limit.value === undefined) limit.refuse(`${here}: x-max-bytes of requestBody is missing`);
  if (!Number.isSafeInteger(limit.value) || Number(limit.value) < 1)
    limit.refuse(`${here}: x-max-bytes must be a whole number of bytes, at least 1`);
  if (contents.some(([media]) => media === multipartMedia) && Number(limit.value) > maxUploadBytes)
    limit.refuse(
      `${here}: x-max-bytes can be at most ${maxUploadBytes} with ${multipartMedia}: it is held in memory`,
    );
};

/** Far less than all requests together may hold. */
const maxUploadBytes = 64 * 1024 * 1024;

const checkMediaType = (media: string, content: Cursor, here: string): void => {
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(media)) content.refuse(`${here}: "${media}" is no media type`);
};

/** A body that is no JSON goes to the handler as it is: nothing that its schema says of it would hold. */
const checkStreamedBody = (media: string, content: Cursor, here: string): void => {
  if (isUnvalidated(media))
    content.refuse(`${here}: bodies of ${media} are not validated: of multipart only ${multipartMedia} is`);
  if (!content.has('schema')) return;
  for (const [keyword, said] of content.field('schema').fields(`${here}: the schema`))
    if (
      !['description', 'title', 'example'].includes(keyword) &&
      !anyText.includes(`${keyword} ${String(said.value)}`)
    )
      said.refuse(`${here}: bodies of ${media} are not validated: ${keyword} would not hold`);
};

const anyText = ['type string', 'format binary'];

const checkJson = (content: Cursor, context: SchemaContext): void => {
  const schema = content.field('schema');
  if (!context.is31 || typeof schema.value !== 'boolean') schema.fields(`${context.here}: the schema`);
  checkSchema(schema, context);
};

const checkParameter = (parameter: Cursor, context: SchemaContext, template: PathTemplate): void => {
  const { here } = context;
  const name = parameter.field('name').text(`${here}: the name of a parameter`);
  const what = `${here}: the parameter ${name}`;
  oneOf(parameter.field('in'), places, `${here}: in, of the parameter ${name},`);
  const place = parameter.field('in').value as ParameterLocation;
  if (place === 'path') {
    if (!template.parameters.includes(name)) parameter.refuse(`${what} does not stand in the path`);
    if (parameter.field('required').value !== true)
      parameter.refuse(`${what} stands in the path, so it must be required: true`);
  }
  if (parameter.has('content')) {
    checkParameterContent(parameter, { ...context, here: what });
    return;
  }
  const schema = parameter.field('schema');
  schema.fields(`${here}: the schema of ${name}`);
  if (parameter.has('style')) oneOf(parameter.field('style'), parameterStyles[place], `${what}: style`);
  const types = [valueSchema(parameter.value as Parameter).type].flat();
  const fault = findObjectFault(parameter.value as Parameter);
  if (fault)
    fault.path.reduce<Cursor>((inside, key) => inside.field(key), parameter).refuse(`${what}: ${fault.what}`);
  if (types.length > 1 && types.includes('object'))
    schema.refuse(`${what}: an object or something else needs JSON: content instead of schema`);
  if (parameter.field('style').value === 'deepObject' && !types.includes('object'))
    parameter.field('style').refuse(`${what}: the style deepObject is for objects`);
  if (types.includes('array') && place === 'cookie' && isExploded(parameter.value as Parameter))
    parameter.refuse(`${what}: a list in a cookie needs explode: false`);
  checkSchema(schema, { ...context, here: what });
};

/** Of a parameter that is written as JSON. */
const checkParameterContent = (parameter: Cursor, context: SchemaContext): void => {
  const { here } = context;
  const content = parameter.field('content');
  for (const key of ['schema', 'style', 'explode'])
    if (parameter.has(key)) parameter.field(key).refuse(`${here}: ${key} can not stand beside content`);
  const [first, ...others] = content.fields(`${here}: content`);
  if (!first || others.length > 0) return content.refuse(`${here}: content needs a single media type`);
  const [media, described] = first;
  if (!isJsonMedia(media)) described.refuse(`${here}: content must be JSON, not ${media}`);
  checkJson(described, context);
};

const checkResponse = (status: string, response: Cursor, context: SchemaContext): void => {
  const { here, mocked } = context;
  if (!isStatusKey(status))
    response.refuse(
      `${here}: "${status}" is no status of three digits, no range such as 4XX and not default`,
    );
  response.fields(`${here}: ${status}`);
  for (const key of ['x-error', 'x-message'])
    if (response.has(key)) response.field(key).text(`${here}: ${key} of ${status}`);
  if (response.has('x-error') && !isExactStatus(status))
    response.field('x-error').refuse(`${here}: x-error needs a status of three digits, not ${status}`);
  if (response.has('headers'))
    for (const [name, header] of response.field('headers').fields(`${here}: ${status}: headers`))
      checkSchema(header.field('schema'), { ...context, here: `${here}: ${status}: the header ${name}` });
  if (!response.has('content')) return;
  const contents = response.field('content').fields(`${here}: ${status}: content`);
  const isNeverSent =
    isBodiless(Number(status)) || (here.startsWith('HEAD ') && !response.has('x-error') && status < '400');
  if (isNeverSent && contents.length > 0 && !mocked)
    response.field('content').refuse(`${here}: ${status} has no body, so its content would never be sent`);
  for (const [media, content] of mocked ? [] : contents)
    if (!isJsonMedia(media) && response.has('x-error'))
      content.refuse(`${here}: ${status}: an answer with x-error is sent as ${jsonMedia}, not as ${media}`);
  for (const [media, content] of contents)
    if (isJsonMedia(media)) checkJson(content, { ...context, here: `${here}: ${status}` });
    // Contracts of others have ranges, too: image/*.
    else if (!mocked || !media.endsWith('/*')) checkMediaType(media, content, `${here}: ${status}`);
};
