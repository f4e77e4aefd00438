import type { Command } from 'commander';
import type { Io } from './io.js';
import { listVouchers, type ListOptions } from './voucherList.js';
import { revokeVouchers, type RevokeOptions } from './voucherRevoke.js';

export const addVoucherCommands = (program: Command, io: Io): void => {
  const voucher = program.command('voucher').description('vouchers that were created');
  voucher
    .command('list')
    .description('List the recorded vouchers of a site, the newest first')
    .argument('<site>', 'id of the site, as `site list` shows it')
    .option('--status <status>', 'only those that are: valid, used or expired')
    .option('--name <text>', 'only those whose name contains this')
    .option('--limit <number>', 'how many, 1 to 10000', '50')
    .option('--json', 'print JSON')
    .action((site: string, options: ListOptions) => listVouchers(io, site, options));
  voucher
    .command('revoke')
    .description('Delete vouchers on their controllers; in the records they have expired then')
    .argument('<code...>', 'codes, with or without the dash')
    .option('--site <id>', 'the site, when several have a voucher with such a code')
    .option('--json', 'print JSON')
    .action((codes: string[], options: RevokeOptions) => revokeVouchers(io, codes, options));
};
