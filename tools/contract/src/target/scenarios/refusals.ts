import { isLarge } from '../../contract.js';
import { isJson } from '../../document/operations.js';
import type { SchemaModel } from '../../document/schemaModel.js';
import { canHave, insertionPoints } from '../../generated/insertionPoints.js';
import { judgeSample } from '../../generated/oracle/oracle.js';
import { oddValues } from '../../generated/values/odd.js';
import { isExcuse, withKey } from '../keys.js';
import { paddedBody } from '../formBody.js';
import type { Sample } from '../sample.js';
import {
  exchange,
  exchangeSample,
  forbiddenToSend,
  goodSample,
  harmlessRequest,
  isIfMatch,
  keyFor,
  limitHeaders,
  permittedKey,
  preparedRequest,
} from '../scenarioContext.js';
import type { Scenario, ScenarioPlan, ScenarioContext } from '../target.js';
import { inTurn, startingInTurn } from '../turns.js';

/** How many fields and messages each operation of a large contract shows. */
const fewRefusals = 2;

/** 400: for each field and each message, the first value, or its absence, that no lenient rule accepts. */
export const invalidRequest = (context: ScenarioContext): ScenarioPlan => {
  const { contract, operation, target } = context;
  const key = keyFor(context);
  if (isExcuse(key)) return key;
  const found = new Map<string, Scenario>();
  /** Is it a refusal that is new? */
  const add = (sample: Sample, point?: string): boolean => {
    const verdict = judgeSample(operation, sample);
    if (verdict.kind !== 'refused' || (point !== undefined && verdict.field !== point)) return false;
    const { field, texts } = verdict;
    const how = `with a wrong ${field}${texts ? ` ("${texts.join('" or "')}")` : ''}`;
    if (found.has(how)) return false;
    found.set(how, {
      how,
      present: limitHeaders(operation, 400, key),
      ...(texts && { messages: texts }),
      send: () => exchangeSample(context, sample, key),
    });
    return true;
  };
  if (forbiddenToSend(context)) {
    const request = harmlessRequest(context);
    if (isExcuse(request)) return request;
    add(request.sample);
  } else {
    const good = goodSample(context);
    /** What is refused of the points with the same schema. */
    const telling = new Map<string, string[]>();
    const points = insertionPoints(operation, target.substitutions);
    for (const point of startingInTurn(contract, operation, points)) {
      // Generated requests try all of them.
      if (isLarge(contract) && found.size >= fewRefusals) break;
      const same = JSON.stringify([point.in, point.schema]);
      const refused: string[] = [];
      for (const value of [undefined, ...(telling.get(same) ?? oddValues(point.schema, point.in))])
        if (canHave(point, value) && add(point.set(good, value), point.name) && value !== undefined)
          refused.push(value);
      if (!telling.has(same)) telling.set(same, refused);
    }
  }
  const scenarios = [...found.values(), ...notUtf8(context)];
  return scenarios.length > 0 ? { scenarios } : { unknown: 'the contract refuses no value of any field' };
};

/** JSON is UTF-8. A body that is not counts as one that is no JSON, however much of it could be read. */
const notUtf8 = (context: ScenarioContext): Scenario[] => {
  const { contract, operation, target } = context;
  const request = harmlessRequest(context);
  // Others may read what they can of it.
  if (target.thirdParty || isExcuse(request) || !operation.requestBody || !isJson(operation.requestBody))
    return [];
  const { sample, key } = request;
  const verdict = judgeSample(operation, { ...sample, body: '{' });
  const text = sample.body ?? '{}';
  const inValue = /(?<=:\s*")/.exec(text)?.index;
  if (verdict.kind !== 'refused') return [];
  const scenario = (how: string, body: Uint8Array): Scenario => ({
    how,
    ...(verdict.texts && { messages: verdict.texts }),
    send: async () =>
      exchange(context, withKey(contract, { ...(await preparedRequest(context, sample)), body }, key)),
  });
  const split = (bytes: readonly number[]): Uint8Array =>
    Buffer.concat([
      Buffer.from(text.slice(0, inValue)),
      Buffer.from(bytes),
      Buffer.from(text.slice(inValue ?? text.length)),
    ]);
  const inTexts =
    inValue === undefined
      ? []
      : [
          scenario('with a byte in a text that UTF-8 does not have', split([0xff])),
          scenario('with a text in Latin-1', split([0xfc])),
          scenario('with a surrogate in a text', split([0xed, 0xa0, 0x80])),
        ];
  const all = [...inTexts, scenario('with a body in UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'))];
  // The operations of a large contract show it together.
  return [...inTurn(contract, operation, isLarge(contract) ? all.slice(0, 1) : all, 4)];
};

/** 404: a parameter of the path with a value that nothing has. */
export const missingResource = (context: ScenarioContext): ScenarioPlan => {
  const { operation, target } = context;
  const point = insertionPoints(operation, target.substitutions).findLast(
    ({ in: place }) => place === 'path',
  );
  if (!point) return { unknown: `nobody has written down how ${operation.id} gets to 404` };
  const key = permittedKey(context);
  if (isExcuse(key)) return key;
  const good = goodSample(context);
  const sample = unusedValues(point.schema)
    .map((value) => point.set(good, value))
    .find((one) => judgeSample(operation, one).kind !== 'refused');
  if (!sample) return { unknown: `every value of ${point.name} may be one of something` };
  return {
    scenarios: [
      {
        how: `with a ${point.name} that nothing has`,
        present: limitHeaders(operation, 404, key),
        send: () => exchangeSample(context, sample, key),
      },
    ],
  };
};

/** Values that nothing is called by. */
const unusedValues = ({ type, format, maximum = 2_147_483_647, enum: allowed }: SchemaModel): string[] => {
  if (allowed) return [];
  if (type === 'integer' || type === 'number') return [String(maximum), String(maximum - 1)];
  if (format === 'uuid') return ['00000000-0000-4000-8000-000000000000'];
  return ['nothing-has-this', '9999999999', 'zz', '0'.repeat(64)];
};

/** 412: a change of a version that there never was. */
export const staleVersion = (context: ScenarioContext): ScenarioPlan => {
  const { operation } = context;
  const condition = operation.parameters.find((one) => one.in === 'header' && isIfMatch(one.name));
  if (!condition) return { unknown: '412 depends on the state of the service' };
  const key = permittedKey(context);
  if (isExcuse(key)) return key;
  const good = goodSample(context);
  const headers = [
    ...good.headers.filter(([name]) => name !== condition.name),
    [condition.name, '"no-such-version"'] as const,
  ];
  return {
    scenarios: [
      {
        how: 'with an ETag in If-Match that is not the current one',
        present: limitHeaders(operation, 412, key),
        send: () => exchangeSample(context, { ...good, headers }, key),
      },
    ],
  };
};

/** 413: one byte more than allowed, whether the length is said before or not. */
export const tooLarge = (context: ScenarioContext): ScenarioPlan => {
  const { operation } = context;
  const limit = operation.requestBody?.maxBytes;
  if (limit === undefined) return { unknown: 'the contract gives no x-max-bytes' };
  const request = harmlessRequest(context);
  if (isExcuse(request)) return request;
  const { sample, key } = request;
  const body = paddedBody(operation, sample, limit + 1);
  const how = `with a body of ${limit + 1} bytes`;
  const scenario = (title: string, more: Sample['headers']): Scenario => ({
    how: title,
    present: limitHeaders(operation, 413, key),
    send: () => exchangeSample(context, { ...sample, headers: [...sample.headers, ...more], body }, key),
  });
  const scenarios = [
    scenario(how, []),
    scenario(`${how} in chunks, without Content-Length`, [['Transfer-Encoding', 'chunked']]),
  ];
  return { scenarios: inTurn(context.contract, operation, scenarios, 2) };
};

/**
 * 415: a body that says that it is compressed; for a service of others, one of a media type that nobody knows, which may be
 * read all the same where a compressed one is refused.
 */
export const unsupportedBody = (context: ScenarioContext): ScenarioPlan => {
  const request = harmlessRequest(context);
  if (isExcuse(request)) return request;
  const { sample, key } = request;
  const { contract, target } = context;
  const encoding = ['Content-Encoding', 'gzip'] as const;
  const first = target.thirdParty ? (['Content-Type', 'application/x-unknown'] as const) : encoding;
  const sendWith = async ([name, value]: typeof first) => {
    const prepared = await preparedRequest(context, sample);
    const headers = [...prepared.headers.filter(([known]) => known !== name), [name, value] as const];
    return exchange(context, withKey(contract, { ...prepared, headers }, key));
  };
  return {
    scenarios: [
      {
        how: `with ${first.join(': ')}`,
        present: limitHeaders(context.operation, 415, key),
        send: async () => {
          const sent = await sendWith(first);
          if (sent.answer.status === 415 || first === encoding) return sent;
          const encoded = await sendWith(encoding);
          return encoded.answer.status === 415 ? encoded : sent;
        },
      },
    ],
  };
};
