/** What a tool does otherwise than the service: the words of the table in docs/features.md, and the cases that hold them. */
interface Difference {
  readonly cell: string;
  readonly cases: readonly string[];
  /** The body of its errors. */
  readonly errorBody?: object;
}

interface Differences {
  readonly mock?: Difference;
  readonly proxy?: Difference;
  /** What the contract run says of a service that is as its contract says, and a part of each such finding. */
  readonly contractRun?: { readonly cell: string; readonly findings: readonly RegExp[] };
}

/** Mock and proxy read the contract as one of others, whose extension keys convert nothing. */
export const byExtensionKeys = [
  ...['with its message', 'with their messages', 'a level below, with its message'],
  ...['all of them, with their conversions', 'a schema converts them', 'at one that is allowed'],
  ...['are converted item by item', 'converted at every level', 'or converted', 'the others converted'],
  ...['both hold', 'as JSON is, with its conversions', 'with the conversions of extension keys'],
  ...['with its defaults, converted by it', 'with the messages of the first, converted by it'],
  ...[
    'each item of a list converted by its own',
    'in itself, converted by it',
    'by its name, converted by it',
  ],
  ...['what all have is validated, converted by it', 'the child where only it is wanted, converted by it'],
];

/** What leads from one message to another changes nothing in the messages. */
const unchanged = { cell: 'described; the operations are as without them', cases: [] };

const ignored = 'described; credentials are ignored';
const unknown = 'missing ones are reported; the service says whether they are good';

/** The run reads the contract as one of others, too; these services follow their extension keys. */
const byExtensionKeysAlone = 'works; reports what only `x-lenient` and `x-trim` allow or refuse';

const recursive: Differences = {
  contractRun: {
    cell: byExtensionKeysAlone,
    findings: [/the status is 400 .*Welcher Text/, /the status is 200 instead of 400 .*likes/],
  },
};

/** By row. What is not here works. */
export const differences: Readonly<Record<string, Differences>> = {
  'parameters in a path': {
    mock: { cell: 'works; has the pages of the web UI, too', cases: ['never empty'] },
  },
  'parameters in the query': {
    proxy: { cell: 'works; reports undocumented ones', cases: ['unknown ones are left out'] },
  },
  'objects in the query': {
    proxy: {
      cell: 'works; reports undocumented fields',
      cases: ['unknown fields are left out', 'and where it is unknown'],
    },
  },
  '`nullable`': {
    contractRun: { cell: byExtensionKeysAlone, findings: [/the status is 200 instead of 400/] },
  },
  'recursive schemas': recursive,
  'OpenAPI 3.1: recursive schemas': recursive,
  'OpenAPI 3.1: `if`, `then`, `else`, `dependentRequired`, `dependentSchemas`': {
    contractRun: {
      cell: 'works; reports a service that fails at fields nested thousands of levels deep',
      findings: [/Maximum call stack size exceeded/],
    },
  },
  'responses of `+json` media types': {
    contractRun: {
      cell: 'works; reports `application/problem+json` that is no problem detail',
      findings: [/detail is undefined/],
    },
  },
  'OpenAPI 3.1: `$defs`, and keywords beside a `$ref`': {
    contractRun: { cell: byExtensionKeysAlone, findings: [/the status is 400 .*Drei Zeichen/] },
  },
  'request bodies of `+json` media types': {
    contractRun: {
      cell: byExtensionKeysAlone,
      findings: [
        /the status is 400 .*name fehlt/,
        /the status is 200 instead of 400/,
        /the status is 200 instead of 400/,
      ],
    },
  },
  '`links`': { mock: unchanged, proxy: unchanged },
  '`callbacks`': {
    ...{ mock: unchanged, proxy: unchanged },
    contractRun: { cell: unchanged.cell, findings: [] },
  },
  'OpenAPI 3.1: `webhooks`': {
    ...{ mock: unchanged, proxy: unchanged },
    contractRun: { cell: unchanged.cell, findings: [] },
  },
  'forms: `application/x-www-form-urlencoded`': {
    proxy: { cell: 'works; does not report another charset', cases: ['another charset gets 415'] },
  },
  'request bodies that are not JSON': {
    proxy: { cell: 'the media type; content is forwarded unread', cases: ['too large'] },
  },
  'security: HTTP bearer and basic, keys, OAuth 2.0, OpenID Connect': {
    mock: { cell: ignored, cases: ['one of the two', 'none', 'a bad one'] },
    proxy: { cell: unknown, cases: ['a bad one'] },
  },
  'texts of errors: `x-messages`': {
    mock: {
      ...{ cell: 'the standard texts', cases: [] },
      errorBody: { error: 'invalid_request', message: 'id is invalid' },
    },
  },
  'security that is optional, or one of several': {
    mock: { cell: ignored, cases: ['with bad ones', 'neither', 'a user without a password'] },
    proxy: { cell: unknown, cases: ['with bad ones'] },
  },
};
