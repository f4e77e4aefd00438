import { refuseSetting as refuse } from './configError.js';
import { retentionSettings } from './settings.js';

/** For how many days records are kept once they have served their purpose. */
export interface RetentionConfig {
  /** Vouchers that ended; undefined when they are kept for good. */
  readonly vouchersDays: number | undefined;
  /** Orders of the web UI that ended. */
  readonly ordersDays: number;
  /** Notifications and their deliveries that succeeded. */
  readonly deliveredDays: number;
  /** Deliveries that failed for good. */
  readonly failedDays: number;
  /** E-mails that were sent or given up. */
  readonly emailsDays: number;
  /** The requests of API keys by hour. */
  readonly usageDays: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads for how long records are kept. Throws `ConfigError`. */
export const readRetention = (env: Environment): RetentionConfig => {
  const deliveriesDays = readDays(env, 'RETAIN_DELIVERIES_DAYS');
  return {
    vouchersDays: readDays(env, 'RETAIN_VOUCHERS_DAYS'),
    ordersDays: readDays(env, 'RETAIN_ORDERS_DAYS') ?? retentionSettings.RETAIN_ORDERS_DAYS.standard,
    deliveredDays: deliveriesDays ?? 30,
    // Kept for longer, because somebody may have to act.
    failedDays: deliveriesDays ?? 90,
    emailsDays: readDays(env, 'RETAIN_EMAILS_DAYS') ?? retentionSettings.RETAIN_EMAILS_DAYS.standard,
    usageDays: readDays(env, 'RETAIN_USAGE_DAYS') ?? retentionSettings.RETAIN_USAGE_DAYS.standard,
  };
};

const readDays = (env: Environment, name: keyof typeof retentionSettings): number | undefined => {
  const value = env[name];
  if (!value) return undefined;
  const [from, to] = retentionSettings[name].bounds;
  const days = Number(value);
  // 0 could mean "at once" or "never", and is refused.
  return /^\d+$/.test(value) && days >= from && days <= to
    ? days
    : refuse(name, value, `a whole number from ${String(from)} to ${String(to)}, or nothing`);
};
