import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import { isExcuse } from '../../../tools/contract/src/target/keys.js';
import type { OperationHints, ScenarioContext } from '../../../tools/contract/src/target/target.js';
import {
  exchangeSample,
  goodSample,
  limitHeaders,
  permittedKey,
} from '../../../tools/contract/src/target/scenarioContext.js';
import type { ScenarioPlan } from '../../../tools/contract/src/target/target.js';

/** A list that has changed is sent again to a client that has the old one. */
const changed = (context: ScenarioContext): ScenarioPlan => {
  const { contract, target } = context;
  const creating = { ...context, operation: contract.operation('createVoucher') };
  const [reader, writer] = [permittedKey(context), permittedKey(creating)];
  if (!target.fixture) return { excuse: 'needs a service of the run, to make a voucher' };
  if (isExcuse(reader)) return reader;
  if (isExcuse(writer)) return writer;
  const sample = goodSample(context);
  const send: () => ReturnType<typeof exchangeSample> = async () => {
    const { answer } = await exchangeSample(context, sample, reader);
    await exchangeSample(creating, goodSample(creating), writer);
    const known = [...sample.headers, ['If-None-Match', answer.headers.etag ?? ''] as const];
    return exchangeSample(context, { ...sample, headers: known }, reader);
  };
  const how = 'with the ETag from before another voucher was made';
  return { scenarios: [{ how, present: limitHeaders(context.operation, 200, reader), send }] };
};

export const listVouchersHints: OperationHints = {
  moreScenarios: { 200: changed },
  effects: async ({ query }, { status, body }, { operation, target: { fixture } }) => {
    const siteId = query['site_id'];
    if (!fixture || status !== 200 || typeof siteId !== 'number') return undefined;
    const list = operation.responses.find((response) => response.status === 200)?.body?.schema;
    const codes = await fixture.recordedCodes(siteId);
    return {
      wanted: { vouchers: codes.slice(0, list?.properties?.['vouchers']?.maxItems) },
      found: {
        vouchers: jsonList(jsonFields(body)['vouchers']).map(
          (voucher) => jsonFields(voucher)['voucher_code'],
        ),
      },
    };
  },
};
