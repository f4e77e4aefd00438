import { Button, Stack, Text } from '@mantine/core';
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
import { lazyPart } from '../../lib/lazyPart.ts';
import { useFilter } from '../../lib/useFilter.ts';
import { useOverlay } from '../../lib/useOverlay.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useCurrentUser } from '../../session/session.ts';
import { GuestLanguageProvider } from '../../vouchers/guestLanguage.tsx';
import type { Voucher } from '../../vouchers/voucher.ts';
import { useFilterSites } from './filterSites.ts';
import { VoucherFilter } from './VoucherFilter.tsx';
import { toVoucherQuery, voucherFilterOf } from './voucherSearch.ts';
import { VoucherTable } from './VoucherTable.tsx';

const SelectionBar = lazyPart(async () => (await import('./SelectionBar.tsx')).SelectionBar);
const VoucherDialog = lazyPart(async () => (await import('./VoucherDialog.tsx')).VoucherDialog);

const toParameters = (query: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

type VoucherQuery = ReturnType<typeof toVoucherQuery>;

/** The service answers with what it has found in a part of the vouchers: parts are put together until there are so many. */
const enoughFound = 50;
const maxParts = 20;

const fetchPage = async (query: VoucherQuery, from: string | null, signal: AbortSignal) => {
  const vouchers: Voucher[] = [];
  let next = from;
  for (let part = 0; part < maxParts; part += 1) {
    const cursor = next === null ? {} : { cursor: next };
    const { data } = await client.GET('/vouchers', { params: { query: { ...query, ...cursor } }, signal });
    vouchers.push(...(data?.vouchers ?? []));
    next = data?.next ?? null;
    if (next === null || vouchers.length >= enoughFound) break;
  }
  return { vouchers, next };
};

/** Finds vouchers again, and does something with many of them. */
export const VouchersPage = () => {
  const t = useTranslations();
  const navigate = useNavigate();
  const { language } = useLanguage();
  const search = useSearch({ from: '/vouchers' });
  const [filter, setFilter] = useFilter(voucherFilterOf({ ...search }));
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [isPrinting, setPrinting] = useState(false);
  const textInput = useRef<HTMLInputElement>(null);
  const query = useMemo(() => toVoucherQuery(voucherFilterOf({ ...search })), [search]);
  const queryKey = JSON.stringify(query);
  const [selectedIn, setSelectedIn] = useState(queryKey);
  // Back and links change the filter, too; what is no longer listed must not stay selected.
  if (queryKey !== selectedIn) {
    setSelectedIn(queryKey);
    setSelected(new Set());
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
  const { data, error, hasNextPage, isFetching, fetchNextPage } = found;
  const vouchers = useMemo(() => data?.pages.flatMap((page) => page.vouchers) ?? [], [data]);
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
          onChange={setFilter}
        />
        <QueryView query={found} lines={8}>
          {() =>
            searchesOn ? (
              <Waiting lines={8} />
            ) : vouchers.length === 0 ? (
              <EmptyState icon="vouchers" title={t('vouchers.none')} text={t('vouchers.noneText')} />
            ) : (
              <>
                <Text size="sm" c="dimmed" role="status">
                  {t(hasNextPage ? 'vouchers.foundMore' : 'vouchers.found', { count: vouchers.length })}
                </Text>
                <VoucherTable
                  vouchers={vouchers}
                  selected={selected}
                  onSelect={mayHandOut ? setSelected : undefined}
                  onShow={({ id }) => overlay.show({ voucher: id })}
                  onEnd={fetchMore}
                />
              </>
            )
          }
        </QueryView>
      </Stack>
      <Suspense>
        {selected.size > 0 && (
          <GuestLanguageProvider>
            <SelectionBar
              selected={vouchers.filter(({ id }) => selected.has(id))}
              isPrinting={isPrinting}
              onPrinting={setPrinting}
              onClear={() => setSelected(new Set())}
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
