export declare const findBrowser: () => Promise<string | undefined>;
export declare const ensureBrowser: (permission: { mayInstall: boolean }) => Promise<void>;
