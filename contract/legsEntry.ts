import { Array as Arr, Boolean as Bool, Integer, Object as Obj, Optional, type Static } from 'typebox';
import type { ORDER_TYPES } from './kinds/hedge/config';
import { LEGS } from './lifecycle';
import { Instant, Labelled, Maybe, OneOf } from './value';

/** How both legs of an entry go in. */
export const LEGS_ENTRY_LABEL = { market: '双市价', maker: '挂单+对冲' } as const;

/**
 * How both legs of an entry go in, as params of a kind; optional, for there was no choice once.
 * @param converts what is taken from the book after that time, in words
 * @param rests how long it only rests where it is not taken, in words
 */
export const entryFields = (converts: string, rests: string) => ({
  orderType: Optional(Labelled(LEGS_ENTRY_LABEL, { title: '下单方式' })),
  convertSeconds: Optional(
    Maybe(
      Integer({
        title: '挂单转市价',
        minimum: 5,
        maximum: 3600,
        description: `秒，${converts}转市价；留空则不转，${rests}，没成交的不再进`,
      }),
    ),
  ),
});

/** What params of kinds that have the choice say of it, each as much as it knows. */
export interface EntryParams {
  orderType?: (typeof ORDER_TYPES)[number];
  convertSeconds?: number | null;
  slices?: number;
  sliceSeconds?: number;
  payUpTicks?: number | null;
}

/** How two legs come in. */
export interface LegsEntry {
  /** One leg rests and the other takes as it fills; else both take. */
  rests: boolean;
  /** Until what rests is taken from the book, seconds; null where it only rests. */
  convertSeconds: number | null;
  slices: number;
  sliceSeconds: number;
  payUpTicks: number | null;
}

/** How two legs come in by their params; those that were saved before there was a choice take both at once. */
export const legsEntry = (params: EntryParams): LegsEntry => ({
  rests: params.orderType === 'maker',
  convertSeconds: params.convertSeconds ?? null,
  slices: params.slices ?? 1,
  sliceSeconds: params.sliceSeconds ?? 15,
  payUpTicks: params.payUpTicks ?? null,
});

/** The legs of a deal that rest in the book, on their way in or out. */
export const RestingLegs = Obj(
  {
    legs: Arr(OneOf(LEGS)),
    isOut: Bool({ description: '挂单平仓；否则是建仓' }),
    convertsAt: Maybe(Instant('到时转市价；只挂不转的为空')),
  },
  { description: '挂着单的腿' },
);
export type RestingLegs = Static<typeof RestingLegs>;
