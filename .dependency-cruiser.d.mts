import type { IForbiddenRuleType, ICruiseOptions } from 'dependency-cruiser';
export const rooms: readonly string[];
export const webRooms: readonly string[];
declare const config: { readonly forbidden: IForbiddenRuleType[]; readonly options: ICruiseOptions };
export default config;
