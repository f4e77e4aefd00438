import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { StateBadge, type Tone } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { orderName } from '../../vouchers/voucher.ts';

type Order = Schemas['Order'];

const tones: Readonly<Record<Order['state'], Tone>> = { open: 'active', made: 'good', failed: 'bad' };

/** How many orders are offered again. */
const offered = 4;
const openMs = 3000;

interface OwnOrdersProps {
  readonly shownId: string | undefined;
  /** The latest vouchers, which say what became of those of an order. */
  readonly latest: Schemas['VoucherPage'] | undefined;
  onShow(order: Order): void;
}

/**
 * One's own orders that are open, of many, or failed: what goes on while the browser is closed is found again here. A
 * single voucher is in the list of the latest ones.
 */
export const OwnOrders = ({ shownId, latest, onShow }: OwnOrdersProps) => {
  const t = useTranslations();
  const { data } = api.useQuery(
    'get',
    '/orders',
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.orders.some((order) => order.state === 'open') ? openMs : false,
    },
  );
  const orders = (data?.orders ?? [])
    .filter(({ id, state, count }) => id !== shownId && (state !== 'made' || count > 1))
    // One that goes on is always there.
    .filter(({ state }, index) => state === 'open' || index < offered)
    .map((order) => {
      const listed = latest?.orders.find(({ id }) => id === order.id);
      const first = latest?.vouchers.find(({ id }) => id === listed?.voucherId);
      return {
        order,
        name: orderName(order.name, first),
        isRevoked: listed?.states.every(({ state }) => state === 'revoked') ?? false,
      };
    });
  if (orders.length === 0) return null;
  return (
    <section aria-labelledby="own-orders">
      <Title order={2} fz="h4" mb="sm" id="own-orders">
        {t('desk.ownOrders')}
      </Title>
      <Stack gap="xs">
        {orders.map(({ order, name, isRevoked }) => (
          <Paper key={order.id} px="md" py="xs">
            <Group justify="space-between" gap="xs">
              <Group gap="sm">
                {isRevoked ? (
                  <StateBadge tone="bad" icon="blocked">
                    {t('vouchers.state-revoked')}
                  </StateBadge>
                ) : (
                  <StateBadge tone={tones[order.state]}>{t(`desk.order-${order.state}`)}</StateBadge>
                )}
                <Text fw={600} className="numbers">
                  {t('desk.orderOf', { count: order.count })}
                </Text>
                <Text>{[name, order.siteName].filter((part) => part !== '').join(' · ')}</Text>
                <Text c="dimmed" size="sm">
                  <Time at={order.createdAt} />
                </Text>
              </Group>
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => onShow(order)}
                aria-label={t('desk.showOrder', { count: order.count, name })}
              >
                {t('desk.show')}
              </Button>
            </Group>
            {order.state === 'open' && (
              <Progress
                mt="xs"
                value={Math.max((order.made / order.count) * 100, 3)}
                aria-label={t('desk.progress', { made: order.made, count: order.count })}
              />
            )}
          </Paper>
        ))}
      </Stack>
    </section>
  );
};
