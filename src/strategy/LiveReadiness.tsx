import { Segmented, Space, Tag } from 'antd';
import { type ReactNode, useState } from 'react';
import { SECOND_MS } from '#contract/duration';
import { ALONE_MS } from '#contract/lifecycle';
import { FIRST_SHARE, inShare, type LiveCheck, RECORD_CHECKS, SHARES } from '#contract/liveReadiness';
import { strategies } from '#contract/strategies';
import { inBps } from '@/components/Bps';
import { formatDateTime } from '@/components/DateTime';
import { ErrorState } from '@/components/ErrorState';
import { Explained } from '@/components/Explained';
import { formatNumber } from '@/components/formatNumber';
import { MoneyButton } from '@/components/MoneyButton';
import { Waiting } from '@/components/Waiting';
import { AssumptionBox } from '@/scan/AssumptionBox';
import { worded } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';

const figure = (unit: string, digits: number) => (value: number) => `${formatNumber(value, { digits })} ${unit}`;
const percent = (value: number) => `${formatNumber(value * 100, { digits: 1 })}%`;
const bps = (value: number) => `${formatNumber(inBps(value), { digits: 2 })} bps`;
const PART = percent(FIRST_SHARE);

interface Words {
  title: string;
  /** How its figures come about. */
  text: string;
  figure?: (value: number) => string;
  /** What stands before what is wanted. */
  sign?: '≥' | '≤' | '>';
  /** What it says without a figure. */
  words?: Partial<Record<LiveCheck['state'], string>>;
}

const WORDS: Record<LiveCheck['check'], Words> = {
  days: {
    title: '模拟运行',
    text: '自第一张交易单开仓',
    figure: figure('天', 1),
    sign: '≥',
    words: { unknown: '还没有开过仓' },
  },
  deals: { title: '已结束的交易单', text: '开成并已平仓', figure: figure('张', 0), sign: '≥' },
  net: {
    title: '净盈亏',
    text: '价格盈亏 + 资金费 − 手续费，自创建以来，含浮动',
    figure: figure('USDT', 2),
    sign: '>',
    words: { unknown: '还没有平过仓' },
  },
  promise: {
    title: '承诺兑现',
    text: 'F33：已平交易单净盈亏之和 / 开仓时净年化 × 每腿名义 × 持有天数 / 365 之和',
    figure: percent,
    sign: '≥',
    words: { unknown: '还没有平过仓' },
  },
  oneLeg: {
    title: '最久单腿',
    text: `F33：已平交易单中单腿敞口×时间 / 每腿名义最大的一张；到 ${ALONE_MS / SECOND_MS} 秒引擎会退回`,
    figure: figure('秒', 1),
    sign: '≤',
    words: { unknown: '还没有平过仓' },
  },
  slippage: {
    title: '滑点',
    text: '成交价相对决策时中间价，占成交额；要求不超过滑点上限的一半',
    figure: bps,
    sign: '≤',
    words: { unknown: '还没有成交' },
  },
  refusals: {
    title: '拒单',
    text: '被拒绝的委托占全部委托',
    figure: percent,
    sign: '≤',
    words: { unknown: '还没有委托' },
  },
  server: {
    title: '服务器',
    text: '以 TRADING=live 启动的服务器才下真实委托',
    words: { met: '可以下真实委托', unmet: '只做模拟' },
  },
  source: {
    title: '行情源',
    text: '全部标的都在可以下真实委托的交易所',
    words: { met: '可以下真实委托', unmet: '只能模拟' },
  },
  secondFactor: { title: '两步验证', text: '账户所有人的动态码', words: { met: '已启用', unmet: '没有启用' } },
  account: {
    title: '实盘账户',
    text: '用自己的密钥开立，密钥有交易权而没有提现权',
    words: { met: '已开立', unmet: '没有开立' },
  },
  balance: {
    title: '可用余额',
    text: `按 ${PART} 的规模全部开满要用的余额或保证金，最紧的一处`,
    figure: figure('USDT', 2),
    sign: '≥',
    words: { unknown: '没有实盘账户，或交易所没有回答' },
  },
  minimum: {
    title: '最小规模',
    text: `交易所的最小数量与最小名义占每腿名义；要求 ${PART} 的规模也开得出`,
    figure: percent,
    sign: '≤',
    words: { unknown: '没有价格或最小数量' },
  },
};

const STATES: Record<LiveCheck['state'], [word: string, color: string]> = {
  met: ['达到', 'success'],
  unmet: ['未达到', 'error'],
  unknown: ['没有数据', 'default'],
};

const COLUMNS: Column<LiveCheck>[] = [
  {
    key: 'check',
    title: '检查',
    width: 138,
    render: ({ check }) => <Explained text={worded(WORDS[check].text)}>{titleOf(check)}</Explained>,
  },
  {
    key: 'state',
    title: '结论',
    width: 84,
    render: ({ state }) => <Tag color={STATES[state][1]}>{STATES[state][0]}</Tag>,
  },
  { key: 'value', title: '现在', width: 190, render: isNow },
  { key: 'wanted', title: '要求', width: 130, render: wants },
];

const checkCard = columnsCard(COLUMNS, { label: ({ check }) => titleOf(check), head: ['check'], end: ['state'] });

function isNow({ check, state, value, reason }: LiveCheck): ReactNode {
  const { figure: text, words } = WORDS[check];
  if (reason !== '') return reason;
  return value === null || text === undefined ? worded(words?.[state] ?? '') : text(value);
}

function wants({ check, wanted }: LiveCheck): ReactNode {
  const { figure: text, sign } = WORDS[check];
  return wanted === null || text === undefined ? '' : `${sign} ${text(wanted)}`;
}

const titleOf = (check: LiveCheck['check']): string => worded(WORDS[check].title);

const isOfRecord = ({ check }: LiveCheck) => RECORD_CHECKS.some((one) => one === check);

interface LiveReadinessProps {
  id: string;
  params: object;
  /** Makes it real with these params. */
  onPromote: (params: object) => void;
}

/** What a strategy on paper has shown, what it would need to trade real money, and the way to it at a part of its size. */
export default function LiveReadiness({ id, params, onPromote }: LiveReadinessProps) {
  const { data, error, retry } = useCall(strategies.liveReadiness, { query: { id } });
  if (data === undefined) return error ? <ErrorState error={error} onRetry={retry} /> : <Waiting />;
  const { at, checks } = data;
  const met = checks.filter(({ state }) => state === 'met').length;
  return (
    <>
      <p>
        {checks.length} 项中 {met} 项达到。数据时间 {formatDateTime(at)}
      </p>
      <h3>模拟记录</h3>
      <PlainTable label="模拟记录" rowKey="check" columns={COLUMNS} rows={checks.filter(isOfRecord)} card={checkCard} />
      <h3>账户与交易所</h3>
      <PlainTable
        label="账户与交易所"
        rowKey="check"
        columns={COLUMNS}
        rows={checks.filter((one) => !isOfRecord(one))}
        card={checkCard}
      />
      <Promotion checks={checks} params={params} onPromote={onPromote} />
    </>
  );
}

/** Without these nothing is made that could trade. */
const NEEDED: readonly LiveCheck['check'][] = ['server', 'source', 'secondFactor', 'account'];
const OPTIONS = SHARES.map((value) => ({ value, label: `${value * 100}%` }));
const LEAST_PERCENT = 0.1;

/** Why it cannot be made real at such a part of its size; empty where it can. */
function obstaclesOf(checks: readonly LiveCheck[], share: number): string[] {
  const needed = checks.filter(({ check, state }) => NEEDED.includes(check) && state === 'unmet');
  const least = checks.find(({ check }) => check === 'minimum')?.value ?? 0;
  return [
    ...needed.map((one) => `${titleOf(one.check)}：${isNow(one)}`),
    ...(least > share ? [`最小规模：至少 ${percent(least)}`] : []),
  ];
}

/** Makes it real at a part of its size, as far as nothing stands in the way. */
function Promotion({ checks, params, onPromote }: { checks: readonly LiveCheck[] } & Omit<LiveReadinessProps, 'id'>) {
  const [share, setShare] = useState<number>(FIRST_SHARE);
  const obstacles = obstaclesOf(checks, share);
  const missed = checks.filter((one) => isOfRecord(one) && one.state !== 'met').length;
  const sized = inShare(params, share);
  const [before, after] = [params, sized] as { legNotional?: number }[];
  return (
    <section aria-label={worded('按比例转实盘')}>
      <h3>{worded('按比例转实盘')}</h3>
      <Space wrap>
        <Segmented options={OPTIONS} value={share} onChange={setShare} aria-label="常用比例" />
        <AssumptionBox
          label="比例"
          suffix="%"
          least={LEAST_PERCENT}
          most={100}
          parts
          width={96}
          value={Number((share * 100).toFixed(4))}
          onChange={(value) => setShare(value / 100)}
        />
        <MoneyButton
          type="primary"
          why={obstacles.length > 0 ? obstacles.join('；') : undefined}
          onClick={() => onPromote(sized)}
        >
          {worded('转实盘')}
        </MoneyButton>
        <span className="soft">
          每腿名义 {formatNumber(before?.legNotional ?? 0, { digits: 2 })} →{' '}
          {formatNumber(after?.legNotional ?? 0, { digits: 2 })} USDT
        </span>
      </Space>
      {obstacles.length > 0 && <p role="alert">还不能转：{obstacles.join('；')}。</p>}
      {obstacles.length === 0 && missed > 0 && <p>模拟记录有 {missed} 项没有达到要求。</p>}
      <p className="soft">
        {worded('新建一个停止的实盘策略，下一步先试算再保存，由你启动；模拟照常运行，作为它的模拟对照。')}
      </p>
    </section>
  );
}
