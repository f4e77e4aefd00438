import { SimpleGrid, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { Figures } from '../../components/Figures.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { useCurrentUser } from '../../session/session.ts';
import { AttentionList, coveredBySteps } from './AttentionList.tsx';
import { FirstSteps, isSettingUp, ShowFirstSteps } from './FirstSteps.tsx';
import { ControllerHealthList } from './ControllerHealthList.tsx';
import { SiteTable } from './SiteTable.tsx';
import { VoucherPlot } from './VoucherPlot.tsx';

const shownDays = 30;

/** How the service is doing; kept up to date by live events. */
export const OverviewPage = () => {
  const t = useTranslations();
  const { role } = useCurrentUser();
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const overview = api.useQuery('get', '/overview', { params: { query: { days: shownDays, timeZone } } });
  const firstSteps = overview.data?.firstSteps ?? null;
  const steps = isSettingUp(firstSteps) ? firstSteps : undefined;
  const isShown = steps?.isHidden === false;
  return (
    <>
      <PageHeader
        title={t('overview.title')}
        description={t('overview.description', { days: shownDays })}
        actions={steps?.isHidden ? <ShowFirstSteps /> : undefined}
      />
      <QueryView query={overview} lines={5}>
        {(data) => (
          <Stack gap="lg">
            {isShown && <FirstSteps steps={steps.steps} />}
            <AttentionList
              items={data.attention.filter(({ kind }) => !isShown || !coveredBySteps.has(kind))}
            />
            <Figures
              figures={[
                { label: t('overview.createdToday'), value: data.figures.createdToday },
                { label: t('overview.inUse'), value: data.figures.inUse },
                { label: t('overview.endingToday'), value: data.figures.endingToday },
              ]}
            />
            <VoucherPlot overview={data} />
            <SimpleGrid cols={{ base: 1, lg: role === 'admin' ? 2 : 1 }} spacing="lg">
              <SiteTable overview={data} />
              {role === 'admin' && <ControllerHealthList controllers={data.controllers} />}
            </SimpleGrid>
          </Stack>
        )}
      </QueryView>
    </>
  );
};
