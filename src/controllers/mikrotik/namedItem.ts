import { ControllerError } from '../errors.js';
import { asNumber, asText, type Fields } from '../parsing.js';
import type { RestApi } from './restApi.js';
import { isDuplicate, type RestAnswer } from './answer.js';
import { parseDurationMs, parseRate } from './values.js';

/** A limit that is missing or 0 is none. */
const isNone = (value: unknown): boolean =>
  value === undefined || /^(unlimited|0(s|B|bps)?)?$/i.test(asText(value)?.trim() ?? '?');

const readLimit =
  (read: (value: unknown) => unknown) =>
  (value: unknown): unknown =>
    isNone(value) ? 'none' : read(value);

const readRates = (value: unknown): unknown => {
  // Bursts may follow; one rate is for both directions.
  const [first = ''] = (asText(value) ?? '').trim().split(' ');
  const [rx, tx = rx] = first.split('/').map(parseRate);
  if (rx === undefined || tx === undefined) return undefined;
  return rx === 0 && tx === 0 ? 'none' : `${String(rx)}/${String(tx)}`;
};

/** How a router may write a value in another way: what cannot be read is not compared. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  validity: readLimit((value) => parseDurationMs(value) || undefined),
  'starts-when': (value) => value,
  'shared-users': (value) => (value === 'unlimited' ? value : asNumber(value)),
  'rate-limit-rx': readLimit(parseRate),
  'rate-limit-tx': readLimit(parseRate),
  'transfer-limit': readLimit(parseRate),
  'rate-limit': readLimit(readRates),
};

/** The first value that is certainly another one: also a limit that is missing, or one that nobody wants. */
const findDifference = (wanted: Fields, found: Fields): string | undefined =>
  Object.entries(readers).find(([property, read]) => {
    const [one, other] = [read(wanted[property]), read(found[property])];
    return one !== undefined && other !== undefined && one !== other;
  })?.[0];

/**
 * Adds an item whose name says its values. One that is there already counts,
 * unless somebody has given it other values: then nothing may refer to it.
 */
export const addNamed = async (
  { api, name, menu }: { readonly api: RestApi; readonly name: string; readonly menu: string },
  item: Fields & { readonly name: string },
): Promise<void> => {
  const answer: RestAnswer = await api.add(menu, item, undefined);
  api.assertAdded(answer);
  if (!isDuplicate(answer)) return;
  const found = await api.print(menu, { where: ['name', [item.name]] }, undefined);
  const other = found.map((known) => findDifference(item, known)).find((property) => property !== undefined);
  if (other === undefined) return;
  const said = `${menu} ${item.name} has another ${other}: rename or delete it`;
  throw new ControllerError(name, { kind: 'refused', reason: 'order', said });
};
