export interface FoundBrowser {
  readonly executablePath: string;
  readonly args: readonly string[];
}
export declare const findBrowser: () => Promise<FoundBrowser | undefined>;
export declare const ensureBrowser: (permission: { mayInstall: boolean }) => Promise<void>;
