import { Tag } from 'antd';
import type { Direction } from '#contract/evaluate';

const LABEL: Record<Direction, string> = { long: '多', short: '空', neutral: '观望' };

/** 多, 空 or 观望. */
export function DirectionTag({ value }: { value: Direction }) {
  return <Tag>{LABEL[value]}</Tag>;
}

export const directionLabel = (value: string): string => LABEL[value as Direction] ?? value;
