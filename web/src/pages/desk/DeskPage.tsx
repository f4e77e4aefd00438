import { ActionIcon, Button, Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { lazyPart } from '../../lib/lazyPart.ts';
import { useDialog } from '../../lib/useDialog.ts';
import { useCurrentUser } from '../../session/session.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useOrderVouchers } from '../../vouchers/orderVouchers.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import { toRows } from '../../vouchers/voucherRows.ts';
import { isUsedUp } from './allowance.ts';
import classes from './DeskPage.module.css';
import { GuestRequests } from './GuestRequests.tsx';
import { LatestVouchers } from './LatestVouchers.tsx';
import { emptyDraft, siteOf, toOrder } from './orderDraft.ts';
import { OrderForm } from './OrderForm.tsx';
import { OwnOrders } from './OwnOrders.tsx';
import { draftOf, usePlaceOrder } from './placeOrder.ts';
import type { Shown } from './shown.ts';
import { ShownResult } from './ShownResult.tsx';
import { useOrderDraft } from './storedDraft.ts';
import { useFilledForm } from './filledForm.ts';

const KeyHelp = lazyPart(async () => (await import('./KeyHelp.tsx')).KeyHelp);

/** How often somebody who can't order anything is told whether that has changed. */
const waitingMs = 30_000;

/** How many of the latest vouchers are listed; an order of many counts as one. */
const latestCount = 12;

/** Where staff make vouchers all day. */
export const DeskPage = () => {
  const t = useTranslations();
  const desk = api.useQuery(
    'get',
    '/desk',
    {},
    {
      // Somebody without a site, or with nothing left for today, waits for it to change.
      refetchInterval: ({ state: { data } }) =>
        data && (data.sites.length === 0 || data.sites.some(isUsedUp)) ? waitingMs : false,
    },
  );
  const { dialog, open, close } = useDialog();
  useShortcuts({ '?': () => open('keys') });
  return (
    <>
      <PageHeader
        title={t('desk.title')}
        actions={
          <ActionIcon
            variant="default"
            size="lg"
            visibleFrom="sm"
            aria-label={t('desk.keys')}
            title={t('desk.keys')}
            onClick={() => open('keys')}
          >
            <Icon name="keyboard" />
          </ActionIcon>
        }
      />
      <GuestRequests />
      <QueryView query={desk}>
        {(data) => {
          const [first] = data.sites;
          return first ? <OpenDesk desk={data} firstSite={first} /> : <NoSite />;
        }}
      </QueryView>
      <Suspense>{dialog === 'keys' && <KeyHelp onClose={close} />}</Suspense>
    </>
  );
};

interface OpenDeskProps {
  readonly desk: Schemas['Desk'];
  readonly firstSite: DeskSite;
}

const OpenDesk = ({ desk, firstSite }: OpenDeskProps) => {
  const { id: userId } = useCurrentUser();
  const navigate = useNavigate();
  const [shown, setShown] = useState<Shown>();
  const nameInput = useRef<HTMLInputElement>(null);
  const drafting = useOrderDraft(userId);
  const { draft, change } = drafting;
  const { stage, submit, setAside, reset } = usePlaceOrder({
    ...drafting,
    onOrder: (order) => setShown({ kind: 'order', order }),
  });
  const latest = api.useQuery('get', '/vouchers', { params: { query: { rows: 'orders' } } });
  const orders = useOrderVouchers();
  const chosenSite = siteOf(draft, desk.sites);
  // Fields that do not depend on it are there before a site is chosen.
  const site = chosenSite ?? firstSite;
  const order = chosenSite && toOrder(draft, chosenSite);
  const awaited = stage.kind === 'sending' && order ? { name: order.name, count: order.count } : undefined;
  const pages = latest.data ? [{ ...latest.data, vouchers: latest.data.vouchers.slice(0, latestCount) }] : [];
  const rows = toRows(pages, orders.opened, orders.vouchersOf);
  useShortcuts({
    n: () => {
      setShown(undefined);
      reset();
      // An order that was sent keeps what it was sent with until its outcome is known.
      if (draft.orderId === null) change(emptyDraft);
      nameInput.current?.focus();
    },
    '/': () => void navigate({ to: '/vouchers' }),
  });
  useFilledForm(draft, change, desk.sites, () => {
    setShown(undefined);
    nameInput.current?.focus();
  });
  const orderAgain = (order: Schemas['Order']): void => {
    change(draftOf(order));
    setShown(undefined);
    nameInput.current?.focus();
  };
  return (
    <Stack gap="xl">
      <div className={classes['desk']} data-shown={shown !== undefined || awaited !== undefined || undefined}>
        <OrderForm
          sites={desk.sites}
          site={site}
          isSiteMissing={chosenSite === undefined}
          draft={draft}
          stage={stage}
          nameInput={nameInput}
          onChange={change}
          onSubmit={() => {
            // Nobody takes the last guest's code for the next one's.
            setShown(undefined);
            submit(site);
          }}
          onSetAside={setAside}
        />
        <ShownResult
          shown={shown}
          awaited={awaited}
          desk={desk}
          onAgain={stage.kind === 'typing' ? orderAgain : undefined}
        />
      </div>
      <OwnOrders
        latest={latest.data}
        shownId={shown?.kind === 'order' ? shown.order.id : undefined}
        onShow={(order) => setShown({ kind: 'order', order })}
      />
      <QueryView query={latest}>
        {() => (
          <LatestVouchers
            rows={rows}
            opened={orders.opened}
            onToggle={orders.toggle}
            shownId={shown?.kind === 'voucher' ? shown.voucher.id : shown?.order.vouchers[0]?.id}
            onShow={(voucher) => setShown({ kind: 'voucher', voucher })}
          />
        )}
      </QueryView>
    </Stack>
  );
};

const NoSite = () => {
  const t = useTranslations();
  const { role } = useCurrentUser();
  return (
    <EmptyState
      icon="sites"
      title={role === 'admin' ? t('desk.noActiveSiteTitle') : t('desk.noSiteTitle')}
      text={role === 'admin' ? t('desk.noSiteAdmin') : t('desk.noSiteStaff')}
      action={
        role === 'admin' && (
          <Button component={Link} to="/controllers">
            {t('desk.toControllers')}
          </Button>
        )
      }
    />
  );
};
