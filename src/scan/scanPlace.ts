import { pageSizeCodec } from '@/table/listCodecs';

/** A page of a scanner ends soon: what is far down is worth little. */
export const SCAN_PLACE = { pageSize: pageSizeCodec(20) };
