/** How large a sample is, and from which size on its figures are stated. */
interface Sample {
  size: number;
  fewest: number;
  unit: '单' | '天';
}

/** Why a figure over a sample is missing: the sample is too small, or what else keeps it from being there. */
export const sampleReason = ({ size, fewest, unit }: Sample, otherwise: string): string =>
  size < fewest ? `样本不足：少于 ${fewest} ${unit === '单' ? '单对冲' : '天'}` : otherwise;
