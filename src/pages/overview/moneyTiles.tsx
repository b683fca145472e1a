import type { AccountState } from '#contract/account';
import { Amount } from '@/components/Amount';
import { clockWordsOf } from '@/components/clockWords';
import { formatDateTime } from '@/components/DateTime';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import type { AccountTile } from './accountTile';
import styles from './index.module.css';
import { valueReason, venueReason } from './reasons';

/** Money comes as exact text. */
const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

/** What the account is worth and what it has earned. */
export function moneyTiles(account: AccountState): AccountTile[] {
  const {
    equity,
    inTransit,
    available,
    unrealised,
    net,
    today,
    annualised30d,
    drawdown,
    underWaterDays,
    openedAt,
    day,
  } = account;
  const reason = valueReason(account);
  const dayWords = clockWordsOf(day.start);
  const opened = `${formatDateTime(openedAt)} 开户以来`;
  return [
    {
      label: '总权益',
      first: true,
      formula: '账本现金 + Σ 持仓数量 × 标记价 + 账户间在途',
      figure: <Amount value={numberOf(equity)} unit="USDT" reason={reason} />,
      detail:
        Number(inTransit) === 0 ? null : (
          <>
            含在途 <Amount money value={Number(inTransit)} unit="USDT" />
          </>
        ),
    },
    {
      label: '可用',
      first: true,
      formula: '保证金余额 − 持仓与挂单占用的保证金，不低于 0；现货另有钱包的，加其中可用的',
      figure: <Amount value={numberOf(available)} unit="USDT" reason={venueReason(account, reason)} />,
    },
    {
      label: '今日盈亏',
      first: true,
      formula: '权益变化 − 划转，与单日最大亏损及盈亏日历同一日界；收益率为时间加权，扣除划转（F18）',
      window: `${formatDateTime(today?.since ?? day.start)} 起，下一日自 ${formatDateTime(day.end)} 起`,
      figure: <Pnl value={today?.pnl} unit="USDT" reason={reason} />,
      detail: (
        <>
          <Pnl value={today?.return} percent reason={today ? '当日开始时没有权益' : reason} />
          <span className={styles.dayWords}>自 {dayWords}</span>
        </>
      ),
    },
    {
      label: '未实现盈亏',
      formula: 'Σ 数量 × 标记价 − 成本，进行中的交易单',
      figure: <Pnl value={numberOf(unrealised)} unit="USDT" reason={reason} />,
    },
    {
      label: '累计净盈亏',
      first: true,
      formula: '总权益 − 累计划转 = 价格盈亏 + 资金费 − 手续费（F11）',
      window: opened,
      figure: <Pnl value={numberOf(net)} unit="USDT" reason={reason} />,
    },
    {
      label: '30 日年化',
      formula: '时间加权收益 × 365 / 天数，单利（F12、F18）',
      window: '近 30 日，日收盘（UTC）',
      figure: <Pnl value={annualised30d} percent reason={equity === null ? reason : '记录不足 30 天'} />,
    },
    {
      label: '当前回撤',
      first: true,
      formula: '时间加权净值 / 历史最高日收盘（UTC）− 1（F20）；未创新高的天数自该最高点起',
      window: opened,
      figure: <Percent value={drawdown} reason={reason} />,
      detail:
        underWaterDays === null ? null : underWaterDays > 0 ? (
          <>
            未创新高 <Amount value={underWaterDays} digits={1} unit="天" />
          </>
        ) : (
          '处于新高'
        ),
    },
  ];
}
