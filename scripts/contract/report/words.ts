/** `1 case`, `31 cases` */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `0.8 s`, `2 min 5 s` */
export const duration = (ms: number): string => {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** What a run looked at: `openapi.yaml 1.0.0 and a service started for this run`. */
export const subject = ({
  contract,
  url,
}: {
  readonly contract: { readonly file: string; readonly version: string };
  readonly url: string | undefined;
}): string =>
  [contract.file, contract.version, 'and', url ?? 'a service started for this run']
    .filter((part) => part !== '')
    .join(' ');
