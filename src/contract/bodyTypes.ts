import { compileConversion, type Conversion } from './conversion.js';
import { isJsonMedia, type OperationObject, type Parameter, type Schema } from './document.js';
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
  readonly kind: 'json' | 'stream';
  /** What the body is validated against; `undefined` for a stream. */
  readonly schema: Schema | undefined;
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
    types: Object.entries(requestBody.content).map(([media, { schema: written }]): BodyType => {
      const kind = isJsonMedia(media) ? 'json' : 'stream';
      const schema = kind === 'json' ? written : undefined;
      return {
        media,
        kind,
        schema,
        convert: schema ? compileConversion(schema) : () => undefined,
        convertSent: schema ? compileConversion(schema, 'left out') : () => undefined,
        messageFor: compileMessages(parameters, schema, fallbackMessages),
      };
    }),
  };
