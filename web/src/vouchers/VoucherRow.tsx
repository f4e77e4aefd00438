import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Time } from '../components/Time.tsx';
import { ProfileAndSite } from './ProfileAndSite.tsx';
import { isMachine, typedName, type Voucher } from './voucher.ts';
import { VoucherStateBadge } from './VoucherStateBadge.tsx';
import './VoucherRow.css';

interface VoucherRowProps {
  readonly voucher: Voucher;
  /** Whether it is the one that is shown large. */
  readonly isShown?: boolean;
  /** What stands in front, such as a box to tick. */
  readonly before?: ReactNode;
  /** What stands behind, such as what can be done next. */
  readonly after?: ReactNode;
  /** Whether it stands below the row of its order. */
  readonly isOfOrder?: boolean;
  onShow(): void;
}

/** A voucher in a list: on a wide screen one line, on a phone two or three. */
export const VoucherRow = ({
  voucher,
  isShown = false,
  before,
  after,
  isOfOrder = false,
  onShow,
}: VoucherRowProps) => {
  const { formattedCode, name, createdBy, creatorKind, createdAt } = voucher;
  const t = useTranslations();
  return (
    <div className="voucher-row" data-shown={isShown || undefined} data-of-order={isOfOrder || undefined}>
      {before}
      <button type="button" className="voucher-row-main" onClick={onShow}>
        <span className="voucher-row-code code">{formattedCode}</span>
        <span className="voucher-row-name">{typedName(name) || '–'}</span>
        <span className="voucher-row-state">
          <VoucherStateBadge voucher={voucher} />
        </span>
        <ProfileAndSite {...voucher} />
        <span className="voucher-row-by">
          {isMachine(creatorKind) && (
            <span className="voucher-row-kind">{t(`vouchers.creator-${creatorKind}`)}</span>
          )}{' '}
          <span>{createdBy ?? '–'}</span>
        </span>
        <span className="voucher-row-time numbers">
          <Time at={createdAt} />
        </span>
      </button>
      {after}
    </div>
  );
};
