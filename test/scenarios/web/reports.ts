import { forEverybodyHints } from './session.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';

/** Which periods and time zones there are, only the service knows. */
const refusedWith = ['period-invalid', 'time-zone-unknown'];

export const getReportHints: OperationHints = { ...forEverybodyHints, refusedWith };

export const exportReportHints = getReportHints;
