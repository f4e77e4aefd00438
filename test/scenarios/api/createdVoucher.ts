import type { OracleInput } from '../../../tools/contract/src/generated/oracle/oracle.js';
import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import { isExcuse } from '../../../tools/contract/src/target/keys.js';
import { exchangeSample, permittedKey } from '../../../tools/contract/src/target/scenarioContext.js';
import type {
  ExchangeTimes,
  Fixture,
  OperationHints,
  ScenarioContext,
} from '../../../tools/contract/src/target/target.js';

export const orderOf = (input: OracleInput): Record<string, unknown> => jsonFields(input.body);

type Observe = NonNullable<OperationHints['effects']>;

/** What an order has made: on the controller, in the list, and in what webhooks are told. */
export const observeCreation: Observe = async (input, answer, context, times) => {
  const { fixture } = context.target;
  if (!fixture || answer.status !== 201) return undefined;
  const { code, formatted_code, site } = jsonFields(answer.body);
  const made = await fixture.madeVoucher(String(code));
  const { site_id: siteId, name, max_uses, expire_minutes, qos } = orderOf(input);
  const siteName = fixture.siteNames.get(Number(siteId));
  // An earlier voucher may be out of the list by now, and is not announced once more.
  const isRepeated = answer.headers['idempotency-replayed'] !== undefined;
  const listed = isRepeated ? undefined : await findListed(context, Number(siteId), String(code));
  const listing = listed && describeListing({ name, max_uses, expire_minutes }, listed, fixture, times);
  const announced = isRepeated ? undefined : await fixture.lastNotification();
  return {
    wanted: {
      ...{ name, max_uses, expire_minutes, qos, site: siteName },
      formatted_code: inBlocksOfFive(String(code)),
      ...(listing && { list: listing.wanted }),
      ...(!isRepeated && { notification: { count: 1, site: siteName, source: 'API: Contract' } }),
    },
    found: made && {
      site,
      formatted_code,
      // Behind the date of creation.
      name: /^\d{4}-\d\d-\d\d_([^]*)$/.exec(made.name)?.[1],
      max_uses: made.max_uses,
      expire_minutes: made.expire_minutes,
      qos: { down: made.down, up: made.up, quota_mb: made.quota_mb },
      list: listing?.found,
      notification: announced,
    },
  };
};

/** The display form of a code: `12345-67890`. */
const inBlocksOfFive = (code: string): string => (code.match(/.{1,5}/gu) ?? []).join('-');

type Fields = Record<string, unknown>;

/** The voucher in the list of its site: no fields if it is not there, undefined if the list can't be read here. */
const findListed = async (
  context: ScenarioContext,
  siteId: number,
  code: string,
): Promise<Fields | undefined> => {
  const operation = context.contract.operations.find(({ id }) => id === 'listVouchers');
  if (!operation) return undefined;
  const listing = { ...context, operation };
  const key = permittedKey(listing);
  if (isExcuse(key)) return undefined;
  const sample = { path: {}, query: [['site_id', String(siteId)] as const], headers: [] };
  const { answer } = await exchangeSample(listing, sample, key);
  return (
    jsonList(jsonFields(answer.body)['vouchers'])
      .map(jsonFields)
      .find(({ voucher_code: listedCode }) => listedCode === code) ?? {}
  );
};

/** A new voucher in the list, field by field. */
const describeListing = (
  { name, ...limits }: Fields,
  { voucher_code: _code, ...listed }: Fields,
  { timeZone }: Fixture,
  { sentAt, answeredAt }: ExchangeTimes,
): { wanted: Fields; found: Fields } => {
  const { created_at: createdAt, voucher_name: listedName } = listed;
  const at = Date.parse(String(createdAt));
  const isInTime = at >= sentAt && at <= answeredAt;
  const dates = [sentAt, answeredAt].map((time) => dateIn(timeZone, time));
  const date = dates.find((one) => String(listedName).startsWith(one)) ?? dates[1];
  return {
    wanted: {
      ...limits,
      voucher_name: `${date}_${String(name)}`,
      status: 'valid',
      used_count: 0,
      created_at: isInTime
        ? createdAt
        : `${new Date(sentAt).toISOString()} to ${new Date(answeredAt).toISOString()}`,
      expires_at: null,
    },
    found: listed,
  };
};

/** The date there: `2026-11-14`. */
const dateIn = (timeZone: string, time: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);
