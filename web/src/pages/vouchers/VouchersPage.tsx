import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/api.ts';
import { basePath } from '../../api/serviceMeta.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView, Waiting } from '../../components/QueryView.tsx';
import { useLanguage } from '../../i18n/language.tsx';
import { toPageLanguage } from '../../i18n/pageLanguages.ts';
import { keyOfFilter } from '../../lib/filterState.ts';
import { lazyPart } from '../../lib/lazyPart.ts';
import { useFilter } from '../../lib/useFilter.ts';
import { useOverlay } from '../../lib/useOverlay.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useCurrentUser } from '../../session/session.ts';
import { GuestLanguageProvider } from '../../vouchers/guestLanguage.tsx';
import type { Schemas } from '../../api/schemas.ts';
import type { Voucher } from '../../vouchers/voucher.ts';
import { useFilterSites } from './filterSites.ts';
import { useOrderVouchers } from '../../vouchers/orderVouchers.ts';
import { countVouchers, toRows, type ListRow } from '../../vouchers/voucherRows.ts';
import { useOnlyFound } from './useOnlyFound.ts';
import { VoucherFilter } from './VoucherFilter.tsx';
import type { VoucherList } from './VoucherTable.tsx';
import {
  maxSelected,
  noVoucherFilter,
  readOrderIds,
  toVoucherQuery,
  voucherFilterOf,
  writeOrderIds,
  type VoucherSearch,
  type VoucherSort,
} from './voucherSearch.ts';

const VoucherTable = lazyPart(async () => (await import('./VoucherTable.tsx')).VoucherTable);
const SelectionBar = lazyPart(async () => (await import('./SelectionBar.tsx')).SelectionBar);
const VoucherDialog = lazyPart(async () => (await import('./VoucherDialog.tsx')).VoucherDialog);

const toParameters = (query: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

type VoucherQuery = ReturnType<typeof toVoucherQuery> & { readonly sort: VoucherSort };

/** The service answers with what it has found in a part of the vouchers: parts are put together until there are so many. */
const enoughFound = 50;
const maxParts = 20;

const fetchPage = async (query: VoucherQuery, from: string | null, signal: AbortSignal) => {
  const vouchers: Voucher[] = [];
  const orders: Schemas['VoucherPage']['orders'] = [];
  let next = from;
  for (let part = 0; part < maxParts; part += 1) {
    const cursor = next === null ? {} : { cursor: next };
    const { data } = await client.GET('/vouchers', {
      params: { query: { ...query, ...cursor, rows: 'orders' } },
      signal,
    });
    vouchers.push(...(data?.vouchers ?? []));
    orders.push(...(data?.orders ?? []));
    next = data?.next ?? null;
    if (next === null || vouchers.length >= enoughFound) break;
  }
  return { vouchers, orders, next };
};

/** Finds vouchers again, and does something with many of them. */
export const VouchersPage = () => {
  const t = useTranslations();
  const navigate = useNavigate();
  const language = toPageLanguage(useLanguage().language);
  const search = useSearch({ from: '/vouchers' });
  const [filter, setFilter] = useFilter(voucherFilterOf({ ...search }));
  const [selected, setSelected] = useState<ReadonlyMap<number, Voucher>>(new Map());
  const [isPrinting, setPrinting] = useState(false);
  const textInput = useRef<HTMLInputElement>(null);
  const list = useRef<VoucherList>(null);
  const { sort = 'newest' } = search;
  const query = useMemo(() => ({ ...toVoucherQuery(voucherFilterOf({ ...search })), sort }), [search, sort]);
  const queryKey = JSON.stringify(query);
  const [selectedIn, setSelectedIn] = useState(queryKey);
  // Back and links change the filter, too; what is no longer listed must not stay selected.
  if (queryKey !== selectedIn) {
    setSelectedIn(queryKey);
    setSelected(new Map());
  }
  const overlay = useOverlay();
  const mayHandOut = useCurrentUser().role !== 'viewer';
  const desk = api.useQuery('get', '/desk', {}, { enabled: mayHandOut });
  const filterSites = useFilterSites(desk.data);
  const found = useInfiniteQuery({
    queryKey: ['get', '/vouchers', 'pages', query],
    queryFn: ({ pageParam, signal }) => fetchPage(query, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const { data, error, hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = found;
  const vouchers = useMemo(() => data?.pages.flatMap((page) => page.vouchers) ?? [], [data]);
  const changeSearch = (changed: VoucherSearch): void =>
    void navigate({
      to: '.',
      search: (known) => ({ ...known, ...changed }),
      replace: true,
      resetScroll: false,
    });
  const orders = useOrderVouchers({
    ids: readOrderIds(search.orders),
    change: (ids) => changeSearch({ orders: writeOrderIds(ids) }),
  });
  const rows = toRows(data?.pages ?? [], orders.opened, orders.vouchersOf);
  // As the list has them now: their states change while they are selected.
  const known = new Map(rows.flatMap((row) => (row.kind === 'order' ? [] : [[row.voucher.id, row.voucher]])));
  /** At once where the vouchers are known, so that a box never shows what it was before. */
  const select = async (chosen: readonly ListRow[], isSelected: boolean): Promise<void> => {
    const own: Voucher[] = [];
    for (const row of chosen) {
      if (row.kind === 'voucher') own.push(row.voucher);
      else own.push(...(orders.vouchersOf(row.order.id) ?? (await orders.fetchVouchers(row.order.id))));
      if (isSelected && own.length >= maxSelected) break;
    }
    // Something else may have been selected while these were fetched.
    setSelected((current) => {
      const next = new Map(current);
      for (const voucher of own)
        if (!isSelected) next.delete(voucher.id);
        else if (next.size < maxSelected) next.set(voucher.id, voucher);
      return next;
    });
  };
  const isAnswer =
    keyOfFilter(filter) === keyOfFilter(voucherFilterOf({ ...search })) && !isFetching && !isPlaceholderData;
  const only = useOnlyFound({ rows, hasMore: hasNextPage, isAnswer }, (voucher) => overlay.show({ voucher }));
  const creators = useMemo(
    () => [...new Set(vouchers.flatMap(({ createdBy }) => createdBy ?? []))].sort(),
    [vouchers],
  );
  const fetchMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const searchesOn = vouchers.length === 0 && hasNextPage && !error;
  useEffect(() => {
    if (searchesOn) fetchMore();
  }, [searchesOn, fetchMore]);
  const reset = Object.keys(toVoucherQuery(filter)).length > 0 && (
    <Button
      variant="subtle"
      size="compact-sm"
      onClick={() => {
        setFilter(noVoucherFilter);
        // The button goes, and the next search begins there.
        textInput.current?.focus();
      }}
    >
      {t('vouchers.clear')}
    </Button>
  );
  useShortcuts({
    '/': () => textInput.current?.focus(),
    ...(mayHandOut && { n: () => void navigate({ to: '/desk' }) }),
    p: () => setPrinting(selected.size > 0),
  });
  return (
    <>
      <PageHeader
        title={t('vouchers.title')}
        actions={
          mayHandOut && (
            <Button
              component="a"
              href={`${basePath}/web/vouchers.csv?${toParameters({ ...query, language })}`}
              download
              variant="default"
              leftSection={<Icon name="download" size={18} />}
            >
              {t('vouchers.export')}
            </Button>
          )
        }
      />
      <Stack>
        <VoucherFilter
          value={filter}
          sites={filterSites}
          creators={creators}
          textInput={textInput}
          onChange={(next) => {
            only.forget();
            setFilter(next);
          }}
          onEnter={() => {
            if (filter.text !== undefined) only.enter();
          }}
          onDown={() => list.current?.focusFirst()}
        />
        <QueryView query={found} lines={8}>
          {() =>
            searchesOn ? (
              <Waiting lines={8} />
            ) : vouchers.length === 0 ? (
              <EmptyState
                icon="vouchers"
                title={t('vouchers.none')}
                text={t('vouchers.noneText')}
                action={reset}
              />
            ) : (
              <>
                <Group gap="xs" mih={26}>
                  <Text size="sm" c="dimmed" role="status">
                    {isPlaceholderData
                      ? t('common.loading')
                      : t(hasNextPage ? 'vouchers.foundMore' : 'vouchers.found', {
                          count: countVouchers(rows),
                        })}
                  </Text>
                  {reset}
                </Group>
                <Suspense fallback={<Waiting lines={8} />}>
                  <VoucherTable
                    ref={list}
                    rows={rows}
                    sort={sort}
                    onSort={(next) => changeSearch({ sort: next === 'newest' ? undefined : next })}
                    selected={selected}
                    onSelect={
                      mayHandOut ? (chosen, isSelected) => void select(chosen, isSelected) : undefined
                    }
                    opened={orders.opened}
                    vouchersOf={orders.vouchersOf}
                    onOpen={({ id }) => orders.toggle(id)}
                    onShow={({ id }) => overlay.show({ voucher: id })}
                    onEnd={fetchMore}
                  />
                </Suspense>
              </>
            )
          }
        </QueryView>
      </Stack>
      <Suspense>
        {selected.size > 0 && (
          <GuestLanguageProvider>
            <SelectionBar
              selected={[...selected.values()].map((voucher) => known.get(voucher.id) ?? voucher)}
              isPrinting={isPrinting}
              onPrinting={setPrinting}
              onClear={() => setSelected(new Map())}
            />
          </GuestLanguageProvider>
        )}
      </Suspense>
      <Suspense>
        {search.voucher !== undefined && (
          <GuestLanguageProvider>
            <VoucherDialog
              voucherId={search.voucher}
              desk={desk.data}
              onClose={() => overlay.hide({ voucher: undefined })}
            />
          </GuestLanguageProvider>
        )}
      </Suspense>
    </>
  );
};
