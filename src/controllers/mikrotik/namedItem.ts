import { ControllerError } from '../errors.js';
import { asNumber, type Fields } from '../parsing.js';
import type { RestApi } from './restApi.js';
import { isDuplicate, type RestAnswer } from './answer.js';
import { parseDurationMs, parseRate } from './values.js';

/** How a router may write a value in another way: what cannot be read is not compared. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  validity: (value) => parseDurationMs(value) || undefined,
  'starts-when': (value) => value,
  'shared-users': (value) => (value === 'unlimited' ? value : asNumber(value)),
  'rate-limit-rx': parseRate,
  'rate-limit-tx': parseRate,
  'transfer-limit': parseRate,
  'rate-limit': (value) => {
    const [rx, tx] = String(value).split(/[/ ]/).map(parseRate);
    return rx === undefined || tx === undefined ? undefined : `${String(rx)}/${String(tx)}`;
  },
};

/** The first value that is certainly another one. */
const findDifference = (wanted: Fields, found: Fields): string | undefined =>
  Object.entries(readers).find(([property, read]) => {
    if (wanted[property] === undefined) return false;
    const [one, other] = [read(wanted[property]), read(found[property])];
    return one !== undefined && other !== undefined && one !== other;
  })?.[0];

/**
 * Adds an item whose name says its values. One that is there already counts, unless somebody has given it other values: then
 * nothing may refer to it.
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
