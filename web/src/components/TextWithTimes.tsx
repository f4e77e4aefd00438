import { Fragment } from 'react';
import type { Schemas } from '../api/schemas.ts';
import { useFormat } from '../i18n/format.ts';

/** A text of the service whose times are shown where the reader is; pointing at one shows it in UTC. */
export const TextWithTimes = ({ parts }: { readonly parts: readonly Schemas['TimedText'][] }) => {
  const format = useFormat();
  return parts.map(({ text, at }, index) => (
    <Fragment key={index}>
      {text}
      {at !== null && (
        <time dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}>
          {format.dateTime(at)}
        </time>
      )}
    </Fragment>
  ));
};
