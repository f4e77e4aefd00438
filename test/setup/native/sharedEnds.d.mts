export declare const sharedEnds: (() => Promise<void>)[];
