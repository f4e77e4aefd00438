import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { useFormat } from '../../i18n/format.ts';
import { usePickText } from '../../i18n/language.tsx';
import { useNotify } from '../../notify/notify.tsx';

type ForeignVoucher = Schemas['ForeignVoucher'];

interface ForeignVouchersProps {
  readonly site: Pick<Schemas['Site'], 'id' | 'name'>;
  onClose(): void;
}

/** Vouchers that are on the controller and not here: they can be adopted, one, several or all. */
export const ForeignVouchers = ({ site, onClose }: ForeignVouchersProps) => {
  const t = useTranslations();
  const pick = usePickText();
  const notify = useNotify();
  const params = { path: { siteId: site.id } };
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const found = api.useQuery('get', '/sites/{siteId}/foreign-vouchers', { params });
  const adopt = api.useMutation('post', '/sites/{siteId}/adoptions', {
    onSuccess: ({ adopted, problem }) => {
      if (!problem) notify.done(t('sites.adopted', { count: adopted }));
      setChosen(new Set());
    },
    onSettled: () => invalidate('/sites/{siteId}/foreign-vouchers', '/vouchers', '/overview'),
  });
  const problem = adopt.data?.problem ?? found.data?.problem;
  return (
    <Dialog
      size="xl"
      fullScreenBelow="62em"
      guard="click"
      title={t('sites.foreignTitle', { name: site.name })}
      onClose={onClose}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('sites.foreignText')}
        </Text>
        {problem && (
          <Alert color="red" icon={<Icon name="error" />}>
            {pick(problem)}
          </Alert>
        )}
        {adopt.error && <ErrorAlert error={adopt.error} />}
        <QueryView query={found} lines={4}>
          {({ vouchers, total, problem: failed }) =>
            vouchers.length === 0 ? (
              !failed && (
                <EmptyState icon="check" title={t('sites.noForeign')} text={t('sites.noForeignText')} />
              )
            ) : (
              <Stack>
                <ForeignTable vouchers={vouchers} chosen={chosen} onChoose={setChosen} />
                {total > vouchers.length && (
                  <Text size="sm" c="dimmed">
                    {t('sites.foreignMore', { shown: vouchers.length, total })}
                  </Text>
                )}
                <Group justify="flex-end">
                  <Button
                    variant="default"
                    disabled={chosen.size === 0}
                    loading={adopt.isPending}
                    onClick={() => adopt.mutate({ params, body: { ids: [...chosen] } })}
                  >
                    {t('sites.adoptChosen', { count: chosen.size })}
                  </Button>
                  <Button
                    loading={adopt.isPending}
                    onClick={() => adopt.mutate({ params, body: { ids: null } })}
                  >
                    {t('sites.adoptAll', { count: total })}
                  </Button>
                </Group>
              </Stack>
            )
          }
        </QueryView>
      </Stack>
    </Dialog>
  );
};

interface ForeignTableProps {
  readonly vouchers: readonly ForeignVoucher[];
  readonly chosen: ReadonlySet<string>;
  onChoose(chosen: ReadonlySet<string>): void;
}

const ForeignTable = ({ vouchers, chosen, onChoose }: ForeignTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  const columns: Column<ForeignVoucher>[] = [
    {
      id: 'code',
      label: t('sites.foreignCode'),
      render: ({ id, formattedCode }) => (
        <Checkbox
          label={
            <span className="code" style={{ whiteSpace: 'nowrap' }}>
              {formattedCode}
            </span>
          }
          checked={chosen.has(id)}
          onChange={() => toggle(id)}
        />
      ),
    },
    { id: 'note', label: t('sites.foreignNote'), render: ({ name }) => name || '–' },
    {
      id: 'created',
      label: t('sites.foreignCreated'),
      render: ({ createdAt }) => (createdAt === null ? '–' : format.dateTime(createdAt)),
    },
    {
      id: 'limits',
      label: t('sites.foreignLimits'),
      render: ({ expireMinutes }) => (expireMinutes > 0 ? format.duration(expireMinutes) : '–'),
    },
    {
      id: 'used',
      label: t('sites.foreignUsed'),
      isNumber: true,
      render: ({ usedCount, maxUses }) =>
        maxUses > 0
          ? t('sites.foreignUses', { used: usedCount, max: maxUses })
          : t('sites.foreignUsesUnlimited', { used: usedCount }),
    },
  ];
  return <DataTable caption={t('sites.foreign')} columns={columns} rows={vouchers} idOf={({ id }) => id} />;
};
