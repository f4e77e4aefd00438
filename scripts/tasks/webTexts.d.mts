export type Texts = Map<string, string>;
export declare const readTexts: (language: string) => Texts;
export declare const findTextProblems: (texts: Record<string, Texts>, source: string) => string[];
export declare const webTextProblems: () => string[];
