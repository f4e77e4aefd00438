import type { ImportResult } from '../../import/phpTool/writeImport.js';
import { formatCommandLine, toQuotedWord } from '../../lib/commandLine.js';
import { sanitizeLine } from '../../lib/label.js';
import type { Io } from '../io.js';
import type { ShownCertificate } from './certificates.js';

interface ImportReport extends ImportResult {
  readonly certificates: readonly ShownCertificate[];
  readonly dryRun: boolean;
}

const parts = ['controllers', 'sites', 'keys', 'users', 'profiles', 'webhooks', 'vouchers'] as const;

/** Prints the counts on standard output, and what else there is to know below them. */
export const printReport = (io: Io, report: ImportReport, json: boolean | undefined): void => {
  if (json) {
    io.out(`${JSON.stringify(report, null, 2)}\n`);
    return;
  }
  const verb = report.dryRun ? 'would be added' : 'added';
  for (const part of parts) {
    const { added, present } = report[part];
    io.out(`${part.padEnd(12)} ${String(added)} ${verb}, ${String(present)} already there\n`);
  }
  for (const note of report.notes) io.err(`note: ${sanitizeLine(note)}\n`);
  for (const certificate of report.certificates) io.err(describeCertificate(certificate));
  if (report.dryRun) io.err('nothing was written: this was a dry run\n');
  else {
    const pinning = report.certificates.some(({ trusted }) => !trusted)
      ? 'pin the certificates above, then '
      : '';
    io.err(`next: ${pinning}${formatCommandLine('sync')}, which settles vouchers that were never used\n`);
  }
};

const describeCertificate = ({ controller, address, fingerprint, trusted }: ShownCertificate): string => {
  const name = sanitizeLine(controller);
  if (trusted) return `certificate: ${name} shows one that this system trusts\n`;
  if (fingerprint === null)
    return `certificate: ${name} does not answer at ${sanitizeLine(address)}; later: ${formatCommandLine(`controller pin ${toQuotedWord(name)}`)}\n`;
  return `certificate: ${name} shows ${fingerprint}; if the console itself shows the same: ${formatCommandLine(`controller pin ${toQuotedWord(name)} --fingerprint ${fingerprint}`)}\n`;
};
