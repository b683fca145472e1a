import { Integer, Object as Obj, type Static, String as Str } from 'typebox';
import { Instant, Maybe } from './value';

/** Deals of a strategy that was stopped without closing them: nobody looks after them. */
export const Unguarded = Obj(
  {
    deals: Integer({ description: '无人看护的交易单' }),
    selfManaged: Maybe(Obj({ at: Instant('声明时间'), by: Str({ description: '谁说自己管' }) })),
  },
  { description: '停止时保留的持仓：止损、反转与移仓都不会触发；没有时不给出' },
);
export type Unguarded = Static<typeof Unguarded>;
