import { draftAudit } from '../../../src/audit/audit.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { isSameJson, jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import type { HttpAnswer } from '../../../tools/contract/src/request.js';
import { isExcuse } from '../../../tools/contract/src/target/keys.js';
import type { OperationHints, ScenarioContext } from '../../../tools/contract/src/target/target.js';
import {
  exchangeSample,
  goodSample,
  limitHeaders,
  permittedKey,
} from '../../../tools/contract/src/target/scenarioContext.js';
import type { RecordedVoucher, ScenarioPlan } from '../../../tools/contract/src/target/target.js';
import { runActor } from '../local/administration.js';
import { addVoucher } from '../web/orders.js';
import { plans } from '../web/preparing.js';

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

/** A voucher that is revoked is gone from its controller, and so expired, whatever was listed before. */
const revoked = (context: ScenarioContext): ScenarioPlan => {
  const { operation, target } = context;
  const key = permittedKey(context);
  if (!target.fixture) return { excuse: 'needs a service of the run, to revoke a voucher' };
  if (isExcuse(key)) return key;
  const { fixture } = target;
  const [siteId] = fixture.sites.healthy;
  const sample = { ...goodSample(context), query: [['site_id', String(siteId)] as const] };
  let code = '';
  const send: () => ReturnType<typeof exchangeSample> = async () => {
    const { tables } = fixture.administration();
    const id = await addVoucher(tables, siteId);
    await exchangeSample(context, sample, key);
    const [voucher] = await tables.vouchers.byIds([id]);
    code = voucher?.code ?? '';
    const audit = draftAudit(runActor, 'voucher.revoke', nodeSystem.now());
    await tables.vouchers.revoke({ id, siteId }, nodeSystem.now(), {
      ...audit,
      ...{ subjectKind: 'voucher', subjectId: String(id), subjectName: null },
    });
    return exchangeSample(context, sample, key);
  };
  const also = ({ body }: HttpAnswer): string[] => {
    const listed = jsonList(jsonFields(body)['vouchers']).map((voucher) => jsonFields(voucher));
    const status = listed.find((voucher) => voucher['voucher_code'] === code)?.['status'];
    return status === 'expired' ? [] : [`the status of a revoked voucher is ${JSON.stringify(status)}`];
  };
  const how = 'after a voucher was revoked';
  return { scenarios: [{ how, present: limitHeaders(operation, 200, key), also, send }] };
};

/** A recorded voucher as the list must show it: what expires is expired from then on, whatever is recorded. */
const toListed = (voucher: RecordedVoucher, now: number): Record<string, unknown> => ({
  voucher_code: voucher.code,
  voucher_name: voucher.name,
  max_uses: voucher.max_uses,
  expire_minutes: voucher.expire_minutes,
  status: voucher.expires_at !== null && voucher.expires_at <= now ? 'expired' : voucher.status,
  used_count: voucher.used_count,
  created_at: new Date(voucher.created_at).toISOString(),
  expires_at: voucher.expires_at === null ? null : new Date(voucher.expires_at).toISOString(),
});

export const listVouchersHints: OperationHints = {
  moreScenarios: { 200: plans(changed, revoked) },
  effects: async ({ query }, { status, body }, { operation, target: { fixture } }, { answeredAt }) => {
    const siteId = query['site_id'];
    if (!fixture || status !== 200 || typeof siteId !== 'number') return undefined;
    const list = operation.responses.find((response) => response.status === 200)?.body?.schema;
    const recorded = await fixture.recordedVouchers(siteId);
    const wanted = recorded
      .slice(0, list?.properties?.['vouchers']?.maxItems)
      .map((voucher) => toListed(voucher, answeredAt));
    const found = jsonList(jsonFields(body)['vouchers']);
    const codes = wanted.map(({ voucher_code: code }) => code);
    const foundCodes = found.map((voucher) => jsonFields(voucher)['voucher_code']);
    // The first that differs says more than two lists of 200.
    const index = wanted.findIndex((voucher, at) => !isSameJson(voucher, found[at]));
    return {
      wanted: { codes, vouchers: wanted[index] },
      found: { codes: foundCodes, vouchers: found[index] },
    };
  },
};
