import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../api/schemas.ts';
import { Icon } from '../components/Icon.tsx';
import { Time } from '../components/Time.tsx';
import { ProfileAndSite } from './ProfileAndSite.tsx';
import { orderName, type Voucher } from './voucher.ts';
import './VoucherRow.css';

export type ListedOrder = Schemas['VoucherPage']['orders'][number];

interface OrderRowProps {
  readonly order: ListedOrder;
  /** The one that stands for the order. */
  readonly voucher: Voucher;
  readonly isOpen: boolean;
  readonly before?: ReactNode;
  /** Whether vouchers of the list have something behind them. */
  readonly hasPlaceAfter: boolean;
  onToggle(): void;
}

/** An order of many: one row that opens. */
export const OrderRow = ({ order, voucher, isOpen, before, hasPlaceAfter, onToggle }: OrderRowProps) => {
  const t = useTranslations();
  const { createdBy, createdAt } = voucher;
  return (
    <div className="voucher-row">
      {before}
      <button type="button" className="voucher-row-main" aria-expanded={isOpen} onClick={onToggle}>
        <span className="voucher-row-code voucher-row-order numbers">
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={18} />
          {t('vouchers.orderOf', { count: order.count })}
        </span>
        <span className="voucher-row-name">{orderName(order.name, voucher) || '–'}</span>
        <span className="voucher-row-state numbers">
          {order.states
            .map(({ state, count }) =>
              t('vouchers.countInState', { count, state: t(`vouchers.state-${state}`) }),
            )
            .join(', ')}
        </span>
        <ProfileAndSite {...voucher} />
        <span className="voucher-row-by">
          <span>{createdBy ?? '–'}</span>
        </span>
        <span className="voucher-row-time numbers">
          <Time at={createdAt} />
        </span>
      </button>
      {hasPlaceAfter && <span className="voucher-row-after" data-empty />}
    </div>
  );
};
