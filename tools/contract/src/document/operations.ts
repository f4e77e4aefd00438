import type { Operation } from '../../../../src/contract/contract.js';
import {
  isFormMedia,
  isJsonMedia,
  isObject,
  type Described,
  type Encoding,
  type OperationObject,
  type Parameter,
  type ParameterLocation,
} from '../../../../src/contract/document.js';
import { boundRecursion } from '../../../../src/contract/mock/boundedSchema.js';
import { responseKey, statusFor } from '../../../../src/contract/responses.js';
import type { Path } from '../../../../src/contract/source.js';
import { plainSchema } from './plainSchema.js';
import type { SchemaModel } from './schemaModel.js';

/** An `example`, with an empty name, or one of `examples`. */
interface WrittenExample {
  readonly name: string;
  readonly value: unknown;
  readonly location: Path;
}

/** A value that an example is given for. */
export interface DescribedModel {
  readonly location: Path;
  readonly schema: SchemaModel | undefined;
  readonly examples: readonly WrittenExample[];
}

export interface ParameterModel extends DescribedModel {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  /** As the contract writes it. */
  readonly written: Parameter;
}

export interface HeaderModel extends DescribedModel {
  readonly name: string;
  readonly required: boolean;
}

/** One media type of a request body or a response. */
export interface BodyModel extends DescribedModel {
  readonly mediaType: string;
  /** How fields of a form are written, by their names. */
  readonly encoding?: Readonly<Record<string, Encoding>>;
}

export interface ResponseModel {
  /** As the contract writes it: `404`, `4XX` or `default`. */
  readonly key: string;
  /** A status that it documents, of a range one that has no response of its own. */
  readonly status: number;
  /** `x-error` and `x-message` */
  readonly errorCode: string | undefined;
  readonly message: string | undefined;
  readonly location: Path;
  readonly headers: readonly HeaderModel[];
  /** One for each media type. */
  readonly bodies: readonly BodyModel[];
  /** The JSON among them, or else the first; undefined for a response without content. */
  readonly body: BodyModel | undefined;
}

interface RequestBodyModel extends BodyModel {
  readonly required: boolean;
  /** `x-max-bytes` */
  readonly maxBytes: number | undefined;
}

/** One operation of the contract, references resolved. */
export interface OperationModel {
  readonly id: string;
  /** `GET` */
  readonly method: string;
  /** As in the contract: `/sites.php`. */
  readonly path: string;
  readonly location: Path;
  /** `x-scope` */
  readonly scope: string | undefined;
  /** The schemes of one are needed together, and any of them is enough. */
  readonly security: readonly (readonly string[])[];
  readonly parameters: readonly ParameterModel[];
  readonly requestBody: RequestBodyModel | undefined;
  readonly responses: readonly ResponseModel[];
}

/** Reads an operation of a loaded contract. */
export const readOperation = (operation: Operation): OperationModel => {
  const { id, method, location, scope, security, definition } = operation;
  const { parameters = [], requestBody } = definition;
  const bodies = readBodies(requestBody, [...location, 'requestBody'], 'nothing');
  const body = bodies.find(isJson) ?? bodies.find(takesFields) ?? bodies[0];
  return {
    id,
    method: method.toUpperCase(),
    path: String(location[1]),
    location,
    scope,
    security,
    parameters: parameters.map((parameter, index) => ({
      ...readDescribed(parameter, [...location, 'parameters', index]),
      name: parameter.name,
      in: parameter.in,
      required: parameter.required === true,
      written: parameter,
    })),
    requestBody: body && {
      ...body,
      required: requestBody?.required === true,
      maxBytes: requestBody?.['x-max-bytes'],
    },
    responses: readResponses(definition, location),
  };
};

const readResponses = ({ responses }: OperationObject, operation: Path): ResponseModel[] =>
  Object.entries(responses).map(([key, response]) => {
    const location = [...operation, 'responses', key];
    const bodies = readBodies(response, location);
    return {
      key,
      status: statusFor(responses, key) ?? Number.NaN,
      errorCode: response['x-error'],
      message: response['x-message'],
      location,
      headers: Object.entries(response.headers ?? {}).map(([name, header]) => ({
        ...readDescribed(header, [...location, 'headers', name]),
        name,
        required: header.required === true,
      })),
      bodies,
      body: bodies.find(isJson) ?? bodies[0],
    };
  });

/** The response that documents a status. */
export const responseTo = (
  { responses }: Pick<OperationModel, 'responses'>,
  status: number,
): ResponseModel | undefined => {
  const key = responseKey(Object.fromEntries(responses.map((response) => [response.key, response])), status);
  return responses.find((response) => response.key === key);
};

const readBodies = (
  described: { readonly content?: Record<string, Described> } | undefined,
  location: Path,
  ending: 'anything' | 'nothing' = 'anything',
): BodyModel[] =>
  Object.entries(described?.content ?? {}).map(([mediaType, media]) => ({
    mediaType,
    ...(media.encoding && { encoding: media.encoding }),
    ...readDescribed(media, [...location, 'content', mediaType], ending),
  }));

/** Bodies of other media types are forms, texts or bytes. */
export const isJson = ({ mediaType }: Pick<BodyModel, 'mediaType'>): boolean => isJsonMedia(mediaType);

export const isForm = ({ mediaType }: Pick<BodyModel, 'mediaType'>): boolean => isFormMedia(mediaType);

/** Those of other media types are sent as the example has them. */
export const takesFields = (body: Pick<BodyModel, 'mediaType'>): boolean => isJson(body) || isForm(body);

/**
 * Of a recursive schema only some levels are looked into: requests are made of them and end there, and answers may have
 * anything below.
 */
const readDescribed = (
  described: Described,
  location: Path,
  ending: 'anything' | 'nothing' = 'anything',
): DescribedModel => {
  const { schema: written, example, examples = {} } = described;
  const schema = written && (boundRecursion(written, ending) as SchemaModel);
  return {
    location,
    schema: schema && plainSchema(schema),
    examples: [
      ...('example' in described ? [{ name: '', value: example, location: [...location, 'example'] }] : []),
      ...Object.entries(examples)
        .filter(([, named]) => isObject(named))
        .map(([name, { value }]) => ({ name, value, location: [...location, 'examples', name, 'value'] })),
    ],
  };
};
