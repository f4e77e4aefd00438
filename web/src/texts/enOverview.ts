import overview from './en/overview.json';
import reports from './en/reports.json';
import vouchers from './en/vouchers.json';

/** The texts of overview and reports, which are loaded with these pages. Other languages have the same keys. */
export const englishOverviewTexts = { overview, reports, vouchers };

export type EnglishOverviewTexts = typeof englishOverviewTexts;
