import { isDeepStrictEqual } from 'node:util';
import { jsonFields, jsonList } from '../json.js';

type Json = Record<string, unknown>;

/** A sentence of the specification about what `/openapi.php` says. */
interface Sentence {
  readonly text: string;
  isTrueOf(description: Json): boolean;
}

const at = (node: unknown, ...names: readonly string[]): Json =>
  names.reduce<Json>((inside, name) => jsonFields(inside[name]), jsonFields(node));

const namesOf = (node: Json): string[] => Object.keys(node).toSorted();

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const hasType = (type: string, ...nodes: readonly Json[]): boolean =>
  nodes.every((node) => node['type'] === type);

const createVoucher = (description: Json): Json => at(description, 'paths', '/vouchers.php', 'post');

const order = (description: Json): Json =>
  at(createVoucher(description), 'requestBody', 'content', 'application/json', 'schema');

/**
 * What the specification of version 1 lists under "Document content", sentence by sentence. Written down here and not
 * worked out from the contract: a mistake in the contract or in the code that describes it must not change what is
 * expected. Paths beyond the specification may be described, too. References must be resolved.
 */
const sentences: readonly Sentence[] = [
  { text: 'it is OpenAPI 3.0.3', isTrueOf: ({ openapi }) => openapi === '3.0.3' },
  {
    text: 'info has a title, a version and a description',
    isTrueOf: ({ info }) => ['title', 'version', 'description'].every((name) => isText(at(info)[name])),
  },
  {
    text: 'security schemes: bearerAuth (HTTP bearer) and apiKeyAuth (header X-API-Key)',
    isTrueOf: (description) => {
      const { bearerAuth, apiKeyAuth, ...others } = at(description, 'components', 'securitySchemes');
      const [bearer, key] = [at(bearerAuth), at(apiKeyAuth)];
      return (
        Object.keys(others).length === 0 &&
        bearer['type'] === 'http' &&
        bearer['scheme'] === 'bearer' &&
        key['type'] === 'apiKey' &&
        key['in'] === 'header' &&
        key['name'] === 'X-API-Key'
      );
    },
  },
  {
    text: 'either scheme satisfies the global security requirement',
    isTrueOf: ({ security }) => {
      const ways = jsonList(security).map((way) => namesOf(at(way)).join());
      return isDeepStrictEqual(ways.toSorted(), ['apiKeyAuth', 'bearerAuth']);
    },
  },
  {
    text: 'paths: /sites.php GET; /vouchers.php GET and POST',
    isTrueOf: ({ paths }) =>
      isDeepStrictEqual(namesOf(at(paths, '/sites.php')), ['get']) &&
      isDeepStrictEqual(namesOf(at(paths, '/vouchers.php')), ['get', 'post']),
  },
  {
    text: 'GET /vouchers.php has a required integer query parameter site_id, and no other',
    isTrueOf: (description) => {
      const parameters = jsonList(at(description, 'paths', '/vouchers.php', 'get')['parameters']).map((one) =>
        at(one),
      );
      const [first = {}] = parameters;
      return (
        parameters.length === 1 &&
        first['name'] === 'site_id' &&
        first['in'] === 'query' &&
        first['required'] === true &&
        hasType('integer', at(first, 'schema'))
      );
    },
  },
  {
    text: 'the 200 of GET /vouchers.php is described as a list of vouchers',
    isTrueOf: (description) => {
      const listed = at(description, 'paths', '/vouchers.php', 'get', 'responses', '200');
      return /\blist of vouchers\b/i.test(String(listed['description']));
    },
  },
  {
    text: 'POST /vouchers.php has a required JSON body with required site_id (integer) and name (string)',
    isTrueOf: (description) => {
      const { required } = order(description);
      return (
        at(createVoucher(description), 'requestBody')['required'] === true &&
        isDeepStrictEqual(jsonList(required).toSorted(), ['name', 'site_id']) &&
        hasType('integer', at(order(description), 'properties', 'site_id')) &&
        hasType('string', at(order(description), 'properties', 'name'))
      );
    },
  },
  {
    text: 'its body has optional max_uses (integer, default 1) and expire_minutes (integer, default 480)',
    isTrueOf: (description) => {
      const { max_uses: uses, expire_minutes: minutes } = at(order(description), 'properties');
      return (
        hasType('integer', at(uses), at(minutes)) &&
        at(uses)['default'] === 1 &&
        at(minutes)['default'] === 480
      );
    },
  },
  {
    text: 'its body has an optional qos, an object with the integers down, up and quota_mb',
    isTrueOf: (description) => {
      const qos = at(order(description), 'properties', 'qos');
      const limits = at(qos, 'properties');
      return (
        hasType('object', qos) &&
        isDeepStrictEqual(namesOf(limits), ['down', 'quota_mb', 'up']) &&
        hasType('integer', ...Object.values(limits).map((limit) => at(limit)))
      );
    },
  },
  {
    text: 'the documented responses of POST /vouchers.php are 201, 401, 403 and 429',
    isTrueOf: (description) =>
      isDeepStrictEqual(namesOf(at(createVoucher(description), 'responses')), ['201', '401', '403', '429']),
  },
  {
    text: 'there are no x- keys',
    isTrueOf: (description) => !hasExtension(description),
  },
];

const hasExtension = (node: unknown): boolean => {
  if (Array.isArray(node)) return node.some(hasExtension);
  return Object.entries(jsonFields(node)).some(
    ([name, value]) => name.startsWith('x-') || (!isData(name) && hasExtension(value)),
  );
};

/** Values that clients send or get, and the names of their fields. */
const isData = (name: string): boolean =>
  ['example', 'examples', 'default', 'enum', 'properties'].includes(name);

/** Which sentences of the specification are there, and which of them do not hold for a description. */
export const compareWithSpecification = (
  description: Json,
): readonly { readonly text: string; readonly holds: boolean }[] =>
  sentences.map(({ text, isTrueOf }) => ({ text, holds: isTrueOf(description) }));
