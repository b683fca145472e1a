import { useRef, useState } from 'react';
import { type HedgeDesk, type HedgeSettings, hedgeConfig, waitsForPerson } from '#contract/kinds/hedge/config';
import type { PairBlock } from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import { PAIR_BLOCK_LABEL } from '@/components/labels';
import { toast } from '@/components/toast';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { WriteNames } from '@/services/WriteNames';
import type { Carried } from './EntryPlan';

interface NewPair {
  long: string;
  short: string;
  /** Whether it is to be entered; otherwise it is only added. */
  arm: boolean;
  /** What speaks against it and was shown. */
  accepts: PairWarning[];
  confirmReversed: boolean;
  /** Settings to be saved before. */
  carried: Carried;
}

/** What has become of the pair, as a toast tells it. @param isConfirmed it waits for a person */
function toldOf({ long, short, arm }: NewPair, block: PairBlock | null, isConfirmed: boolean): string {
  const pair = `多 ${long} / 空 ${short}`;
  if (!arm) return `已添加 ${pair}，先不建仓：要建仓时在交易对里点「建仓」`;
  if (block === null) return `已添加 ${pair}，正在建仓`;
  const then = isConfirmed ? '要开仓时请在交易对里点「确认开仓」' : '条件满足后自动建仓';
  return `已添加 ${pair}，还没有建仓（${PAIR_BLOCK_LABEL[block]}）：${then}`;
}

/** Adds a pair to the desk, after the settings that come with it; a refusal stays until the next try. */
export function useAddPair(desk: HedgeDesk & { settings: HedgeSettings }) {
  const [refusal, setRefusal] = useState<CallError>();
  const [saving, setSaving] = useState(false);
  const [names] = useState(() => new WriteNames());
  /** Settings that were saved here though the pair was refused after it. */
  const saved = useRef(desk);
  const standing = saved.current.version > desk.version ? saved.current : desk;

  /** Whether it was added. */
  const add = async (wish: NewPair): Promise<boolean> => {
    const { long, short, arm, accepts, confirmReversed, carried } = wish;
    setSaving(true);
    setRefusal(undefined);
    try {
      if (Object.keys(carried).length > 0) {
        // Nothing but the pair that is added here is to be entered.
        const body = { ...standing.settings, ...carried, version: standing.version, open: [] };
        const update = (idempotencyKey: string) => call(hedgeConfig.update, { body }, { idempotencyKey });
        saved.current = { ...standing, ...(await names.run(body, update)) };
      }
      const body = { long, short, arm, ...(arm ? { accepts } : {}), ...(confirmReversed ? { confirmReversed } : {}) };
      const { block } = await names.run(body, (idempotencyKey) =>
        call(hedgeConfig.addPair, { body }, { idempotencyKey }),
      );
      toast.success(toldOf(wish, block, block === 'unconfirmed' || waitsForPerson(standing.settings, block)));
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setSaving(false);
      setRefusal(error);
      return false;
    }
  };

  return { add, saving, refusal, settings: standing.settings, forget: () => setRefusal(undefined) };
}
