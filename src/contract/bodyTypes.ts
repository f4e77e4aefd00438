import { isUtf8 } from 'node:buffer';
import { parseJsonBody } from '../lib/json.js';
import { compileConversion, type Conversion } from './conversion.js';
import {
  formMedia,
  hasFields,
  isJsonMedia,
  multipartMedia,
  type Described,
  type OperationObject,
  type Parameter,
  type Schema,
} from './document.js';
import { compileMultipart, withFileFields } from './bodies/fileFields.js';
import { compileFields, parseForm } from './bodies/formFields.js';
import { compileMessages, type FallbackMessages, type FieldMessage } from './messages.js';

/** The body that an operation takes. */
export interface RequestBody {
  /** How many bytes it may have. */
  readonly maxBytes: number;
  readonly isRequired: boolean;
  /** One for each media type, in the contract's order. */
  readonly types: readonly BodyType[];
}

/** How a body of one media type is read. */
export interface BodyType {
  readonly media: string;
  /** `stream`: the handler reads it. */
  readonly kind: 'json' | 'form' | 'multipart' | 'stream';
  /** What the body is validated against; `undefined` for a stream. */
  readonly schema: Schema | undefined;
  /**
   * The value of a body; `undefined` of one that is empty or malformed, a `BodyFault` where more is known.
   */
  readonly parse: (bytes: Buffer, contentType: string) => unknown;
  readonly convert: Conversion;
  /** The same without the contract's defaults: what the client itself sent. */
  readonly convertSent: Conversion;
  readonly messageFor: FieldMessage;
}

/** For mocks of contracts that do not say it. */
const defaultMaxBytes = 1024 * 1024;

export const compileRequestBody = (
  { requestBody }: OperationObject,
  parameters: readonly Parameter[],
  fallbackMessages: FallbackMessages,
): RequestBody | undefined =>
  requestBody && {
    maxBytes: requestBody['x-max-bytes'] ?? defaultMaxBytes,
    isRequired: requestBody.required === true,
    types: Object.entries(requestBody.content).map(([media, written]): BodyType => {
      const described = media === multipartMedia ? withFiles(written) : written;
      const schema = hasFields(media) ? described.schema : undefined;
      return {
        media,
        ...readerOf(media, described),
        schema,
        convert: schema ? compileConversion(schema) : () => undefined,
        convertSent: schema ? compileConversion(schema, 'left out') : () => undefined,
        messageFor: compileMessages(parameters, schema, fallbackMessages),
      };
    }),
  };

const withFiles = (described: Described): Described =>
  described.schema ? { ...described, schema: withFileFields(described.schema) } : described;

const readerOf = (media: string, described: Described): Pick<BodyType, 'kind' | 'parse'> => {
  if (isJsonMedia(media)) return { kind: 'json', parse: parseJson };
  if (media === multipartMedia) return { kind: 'multipart', parse: compileMultipart(described) };
  if (media !== formMedia) return { kind: 'stream', parse: () => undefined };
  const readFields = compileFields(described);
  return {
    kind: 'form',
    parse: (bytes) => {
      const sent = parseForm(bytes);
      return sent && readFields(sent);
    },
  };
};

const parseJson = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) return undefined;
  try {
    return parseJsonBody(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};
