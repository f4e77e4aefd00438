import { Fragment } from 'react';
import { useFormat } from '../i18n/format.ts';

/** A moment as the service writes it into a text, such as 2026-11-18T09:30:00Z. */
const moment = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/;

/** A text of the service whose moments are shown where the reader is; pointing at one shows it in UTC. */
export const TextWithTimes = ({ text }: { readonly text: string }) => {
  const format = useFormat();
  return text.split(moment).map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <time key={index} dateTime={part} title={`${part.slice(0, 10)} ${part.slice(11, 19)} UTC`}>
        {format.dateTime(part)}
      </time>
    ),
  );
};
