import type { PairBlock } from '#contract/lifecycle';
import type { StrategyState } from '#contract/strategy';
import { PAIR_BLOCK_LABEL } from '@/components/labels';

export const STRATEGY_STATE_LABEL: Record<StrategyState, string> = {
  running: '运行',
  paused: '暂停',
  closing: '仅平仓',
  stopped: '停止',
  tripped: '熔断',
  error: '错误',
};

/** Why a target of a strategy does not open. */
export const TARGET_BLOCK_LABEL: Record<PairBlock, string> = {
  ...PAIR_BLOCK_LABEL,
  disabled: '策略未启动',
  slots: '并行数已满',
};

export const STRATEGY_STATE_COLOR: Record<StrategyState, string> = {
  running: 'success',
  paused: 'warning',
  closing: 'processing',
  stopped: 'default',
  tripped: 'error',
  error: 'error',
};
