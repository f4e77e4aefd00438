import { LRUCache } from 'lru-cache';
import { clampTime, type System } from '../../lib/system.js';
import type { ControllerVoucher } from '../controller.js';
import { ControllerError } from '../errors.js';
import { asNumber, asText, parseId, type Fields } from '../parsing.js';
import type { OmadaApi } from './openApi.js';
import {
  parseGroupValues,
  parseListedVoucher,
  toControllerVoucher,
  type GroupValues,
  type ListedVoucher,
} from './voucher.js';

/** A voucher group as the list of groups shows it. */
export interface GroupSummary {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number | null;
  /** Undefined where the controller does not tell. */
  readonly total: number | undefined;
  /** Was at least one of its vouchers used? True also where the controller does not tell. */
  readonly isTouched: boolean;
  /** Can its vouchers only change together with the numbers of the summary? */
  readonly isSettled: boolean;
  /** The numbers of the summary. */
  readonly counts: string;
  readonly fields: Fields;
}

/** The voucher groups of a site. `site` is the path of the site. */
export interface OmadaGroups {
  all(site: string, signal: AbortSignal | undefined): Promise<readonly GroupSummary[]>;
  /** The group whose name ends with this. */
  find(site: string, nameEnd: string, signal: AbortSignal | undefined): Promise<GroupSummary | undefined>;
  /** The vouchers of a group, in the order of their codes. */
  vouchersOf(
    site: string,
    group: GroupSummary,
    signal: AbortSignal | undefined,
  ): Promise<readonly ControllerVoucher[]>;
}

interface OmadaGroupsOptions {
  readonly api: OmadaApi;
  readonly name: string;
  readonly system: System;
}

/** How many vouchers are remembered, so that their groups need not be asked for again. */
const maxRemembered = 100_000;

/** The remaining time comes in whole seconds, and an answer takes a moment. */
const expiryToleranceMs = 10_000;

export const makeOmadaGroups = ({ api, name, system }: OmadaGroupsOptions): OmadaGroups => {
  /**
   * The vouchers of groups with the numbers that their summary had. An order of the API is a group,
   * so without it each sync would be as many calls as there ever were orders.
   */
  const remembered = new LRUCache<string, { counts: string; vouchers: readonly ControllerVoucher[] }>({
    maxSize: maxRemembered,
    sizeCalculation: ({ vouchers }) => vouchers.length + 1,
  });
  /** When vouchers expire, by id. Only the remaining time is shown, and none after the end. */
  const expiries = new LRUCache<string, number>({ maxSize: maxRemembered, sizeCalculation: () => 1 });

  const expiryOf = ({ id, status, leftMs }: ListedVoucher): number | null => {
    const known = expiries.get(id);
    if (status === 'unused') return null;
    if (status === 'expired' || leftMs === undefined) return known ?? null;
    const computed = clampTime(system.now() + leftMs);
    if (known !== undefined && Math.abs(known - computed) <= expiryToleranceMs) return known;
    expiries.set(id, computed);
    return computed;
  };

  /** How often vouchers were used that can not be used again, by id: they need not be asked for each time. */
  const finalUses = new LRUCache<string, number>({ maxSize: maxRemembered, sizeCalculation: () => 1 });

  /** How often a voucher was used. Once is all that one for one use can be. */
  const usesOf = async (
    site: string,
    { maxUses }: GroupValues,
    { id, status }: ListedVoucher,
    signal: AbortSignal | undefined,
  ): Promise<number> => {
    if (status === 'unused') return 0;
    if (maxUses === 1) return 1;
    const known = finalUses.get(id);
    if (known !== undefined) return known;
    const shown = await api.get(`${site}/hotspot/vouchers/${encodeURIComponent(id)}`, signal);
    const used = Math.max(1, asNumber(shown['used']) ?? 1);
    if (status === 'expired' || (maxUses > 0 && used >= maxUses)) finalUses.set(id, used);
    return used;
  };

  const read = async (
    site: string,
    { id, fields: summary }: GroupSummary,
    signal: AbortSignal | undefined,
  ): Promise<readonly ControllerVoucher[]> => {
    const path = `${site}/hotspot/voucher-groups/${encodeURIComponent(id)}`;
    const { items, fields } = await api.list({ path, signal });
    const values = parseGroupValues({ ...summary, ...fields });
    const vouchers: ControllerVoucher[] = [];
    for (const item of items) {
      const listed = parseListedVoucher(item);
      if (!listed) throw new ControllerError(name, { kind: 'unreadable', reason: 'voucher' });
      const usedCount = await usesOf(site, values, listed, signal);
      vouchers.push(toControllerVoucher(values, listed, { usedCount, expiresAt: expiryOf(listed) }));
    }
    return vouchers.sort((one, other) => ((one.code ?? '') < (other.code ?? '') ? -1 : 1));
  };

  const summaries = async (
    site: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<GroupSummary[]> => {
    const { items } = await api.list({ path: `${site}/hotspot/voucher-groups`, query, signal });
    return items.map((item) => {
      const summary = parseSummary(item);
      if (!summary) throw new ControllerError(name, { kind: 'unreadable', reason: 'list' });
      return summary;
    });
  };

  return {
    all: (site, signal) => summaries(site, {}, signal),
    find: async (site, nameEnd, signal) => {
      const isWanted = (group: GroupSummary): boolean => group.name.endsWith(nameEnd);
      const found = (await summaries(site, { searchKey: nameEnd }, signal)).find(isWanted);
      // What a controller searches for is not documented: only the whole list says that a group is not there.
      return found ?? (await summaries(site, {}, signal)).find(isWanted);
    },
    vouchersOf: async (site, group, signal) => {
      const key = `${site}/${group.id}`;
      const known = group.isSettled ? remembered.get(key) : undefined;
      if (known?.counts === group.counts) return known.vouchers;
      const vouchers = group.total === 0 ? [] : await read(site, group, signal);
      // The codes of a new group may not be listed yet.
      const isComplete = vouchers.length === group.total && vouchers.every(({ code }) => code !== undefined);
      if (group.isSettled && isComplete) remembered.set(key, { counts: group.counts, vouchers });
      else remembered.delete(key);
      return vouchers;
    },
  };
};

const countNames = ['totalCount', 'unusedCount', 'usedCount', 'inUseCount', 'expiredCount'] as const;

/** Undefined for anything without an id. */
const parseSummary = (fields: Fields): GroupSummary | undefined => {
  const id = parseId(fields['id']);
  if (id === undefined) return undefined;
  const counts = countNames.map((count) => asNumber(fields[count]));
  const [total, unused, , inUse] = counts;
  const createdAt = asNumber(fields['createdTime']);
  return {
    id,
    name: asText(fields['name']) ?? '',
    createdAt: createdAt === undefined ? null : clampTime(createdAt),
    total,
    isTouched: total === undefined || unused === undefined || unused < total,
    isSettled: total !== undefined && unused !== undefined && inUse === 0,
    counts: counts.join(),
    fields,
  };
};
