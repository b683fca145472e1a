import { useMemo } from 'react';
import type { PairFacts } from '#contract/pair';
import CurveChart from '@/chart/CurveChart';
import { type Curve, LATEST_BARS, type Level } from '@/chart/curve';
import { zBasis } from '@/components/zBasis';

const LEVELS: Level[] = [-2, 0, 2].map((value) => ({ name: `z ${value}`, value, pane: 1 }));
const EQUAL = [1, 1];

/** Ratio of the two sides above, z of their spread below, up to the present. */
export default function PairCharts({ facts }: { facts: PairFacts }) {
  const { time, ratio, z, formingAt } = facts;
  const basis = zBasis(facts);
  const curves = useMemo<Curve[]>(
    () => [
      { name: '比价', values: ratio, format: 'ratio' },
      { name: `价差 z（${basis}）`, values: z, format: 'number', color: 'orange', pane: 1 },
    ],
    [ratio, z, basis],
  );
  return (
    <CurveChart
      label="比价与价差 z"
      time={time}
      curves={curves}
      levels={LEVELS}
      height={420}
      stretch={EQUAL}
      forming={formingAt !== null}
      latest={LATEST_BARS}
    />
  );
}
