import overview from './de/overview.json';
import reports from './de/reports.json';
import vouchers from './de/vouchers.json';
import type { EnglishOverviewTexts } from './enOverview.ts';

export const germanOverviewTexts: EnglishOverviewTexts = { overview, reports, vouchers };
