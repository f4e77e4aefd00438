import { Button, Center, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { client } from '../../api/api.ts';
import { basePath } from '../../api/serviceMeta.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { useLanguage } from '../../i18n/language.tsx';
import { toPageLanguage } from '../../i18n/pageLanguages.ts';
import { useFilter } from '../../lib/useFilter.ts';
import { AuditFilter } from './AuditFilter.tsx';
import { readAuditSearch, toAuditQuery } from './auditSearch.ts';
import { AuditTable } from './AuditTable.tsx';

/** Who did what to what and when, from where. */
export const AuditPage = () => {
  const t = useTranslations();
  const language = toPageLanguage(useLanguage().language);
  const inAddress = readAuditSearch({ ...useSearch({ from: '/audit' }) });
  const [filter, setFilter] = useFilter(inAddress);
  const query = toAuditQuery(inAddress);
  const audit = useInfiniteQuery({
    queryKey: ['get', '/audit', query],
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const { data } = await client.GET('/audit', { params: { query: { ...query, ...cursor } }, signal });
      return data ?? { entries: [], next: null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  return (
    <>
      <PageHeader
        title={t('audit.title')}
        description={t('audit.description')}
        actions={
          <Button
            component="a"
            href={`${basePath}/web/audit.csv?${new URLSearchParams({ ...query, language }).toString()}`}
            download
            variant="default"
            leftSection={<Icon name="download" size={18} />}
          >
            {t('audit.export')}
          </Button>
        }
      />
      <Stack>
        <AuditFilter value={filter} onChange={setFilter} />
        <QueryView query={audit} lines={8}>
          {({ pages }) => {
            const entries = pages.flatMap((page) => page.entries);
            if (entries.length === 0)
              return <EmptyState icon="audit" title={t('audit.none')} text={t('audit.noneText')} />;
            return (
              <>
                <AuditTable entries={entries} />
                {audit.hasNextPage && (
                  <Center>
                    <Button
                      variant="default"
                      loading={audit.isFetchingNextPage}
                      onClick={() => void audit.fetchNextPage()}
                    >
                      {t('audit.more')}
                    </Button>
                  </Center>
                )}
              </>
            );
          }}
        </QueryView>
      </Stack>
    </>
  );
};
