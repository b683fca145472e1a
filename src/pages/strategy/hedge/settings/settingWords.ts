import { BARS, type Bar } from '#contract/candle';
import { HedgeSettings } from '#contract/hedgeConfig';
import { formatNumber } from '@/components/formatNumber';
import { ENTRY_RULE_LABEL, ORDER_TYPE_LABEL, RATIO_RULE_LABEL, sourceLabel } from '@/components/labels';

export type SettingName = keyof HedgeSettings;

export const BAR_LABEL: Record<Bar, string> = { '1d': '日线', '4h': '4 小时', '1h': '1 小时' };
export const BAR_OPTIONS = BARS.map((value) => ({ value, label: BAR_LABEL[value] }));

const OFF = '不启用';
/** As many digits as were typed. */
const plain = (value: number) =>
  formatNumber(value, { digits: Math.min(6, (String(value).split('.')[1] ?? '').length) });
const percent = (value: number | null) => (value === null ? OFF : `${plain(Number((value * 100).toPrecision(12)))}%`);
const amount = (unit: string) => (value: number | null) => (value === null ? OFF : `${plain(value)} ${unit}`);

const WORDS: { [K in SettingName]: (value: HedgeSettings[K]) => string } = {
  source: sourceLabel,
  legNotional: amount('USDT'),
  leverage: amount('倍'),
  maxHedges: amount('对'),
  ratio: (value) => RATIO_RULE_LABEL[value],
  entry: (value) => ENTRY_RULE_LABEL[value],
  entryZ: plain,
  exitZ: plain,
  zBar: (value) => BAR_LABEL[value],
  zWindow: amount('根'),
  stopLoss: percent,
  takeProfit: percent,
  maxHoldingHours: amount('小时'),
  rebalance: percent,
  dailyLossLimit: amount('USDT'),
  blacklist: (value) => (value.length === 0 ? '空' : value.join('、')),
  orderType: (value) => ORDER_TYPE_LABEL[value],
  slippageCap: amount('bps'),
};

/** All settings in the order of the form. */
export const SETTING_NAMES = Object.keys(WORDS) as SettingName[];

/** What the form, the comparison and the errors call a setting. */
export const settingLabel = (name: SettingName): string =>
  (HedgeSettings.properties[name] as { title?: string }).title ?? name;

/** A setting's value as it is read, with its unit. */
export const settingText = (settings: HedgeSettings, name: SettingName): string =>
  (WORDS[name] as (value: unknown) => string)(settings[name]);

/** The settings that differ. */
export const settingsChanged = (before: HedgeSettings, after: HedgeSettings): SettingName[] =>
  SETTING_NAMES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
