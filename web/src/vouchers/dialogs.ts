import { lazyPart } from '../lib/lazyPart.ts';

/** Menus are larger than the buttons beside them. */
export const LazyMoreActions = lazyPart(async () => (await import('./MoreActions.tsx')).MoreActions);

/** Dialogs of vouchers, each loaded when it is first asked for. They need a Suspense around them. */
export const LazyEmailDialog = lazyPart(async () => (await import('./EmailDialog.tsx')).EmailDialog);
export const LazySmsDialog = lazyPart(async () => (await import('./SmsDialog.tsx')).SmsDialog);
export const LazyPrintDialog = lazyPart(async () => (await import('./PrintDialog.tsx')).PrintDialog);
export const LazyRevokeDialog = lazyPart(async () => (await import('./RevokeDialog.tsx')).RevokeDialog);
