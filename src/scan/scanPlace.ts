import { pageSizeCodec } from '@/table/listCodecs';

/** A page of a scanner ends soon, for the strategies of its kind stand below it. */
export const SCAN_PLACE = { pageSize: pageSizeCodec(20) };
