import { Alert } from 'antd';
import { KEY_UNTESTED, type KeyReport, totalsIn } from '#contract/apiKey';
import { Amount } from '@/components/Amount';
import { Bps, inBps } from '@/components/Bps';
import { DateTime } from '@/components/DateTime';
import { Missing } from '@/components/Missing';
import { Percent } from '@/components/Percent';
import { type CardFigure, CardFigures } from '@/table/RowCard';
import { IpTags, RightTags } from './KeyTags';
import { ACCOUNT_TYPE_LABEL, MARGIN_MODE_LABEL, POSITION_MODE_LABEL } from './keyLabels';

const VERDICT = {
  accepted: { type: 'success', title: '交易所接受了该密钥' },
  rejected: { type: 'error', title: '交易所没有接受该密钥' },
  unanswered: { type: 'error', title: '交易所没有回答' },
  unavailable: { type: 'warning', title: '没有测试' },
} as const;

const missing = <Missing reason={KEY_UNTESTED} />;
const wordOf = <W extends string>(labels: Record<W, string>, word: W | null) =>
  word === null ? missing : labels[word];

const figuresOf = (report: KeyReport): CardFigure[] => [
  ['权限', <RightTags key="rights" rights={report.rights} />, true],
  ['IP 白名单', <IpTags key="ip" report={report} />],
  ['到期', <DateTime key="end" value={report.expiresAt} precision="day" reason="没有到期日" />],
  ['账户类型', wordOf(ACCOUNT_TYPE_LABEL, report.accountType)],
  ['账户 UID', report.uid ?? missing],
  ['合约权益', <Amount key="equity" value={report.equity} unit={totalsIn(report)} reason={KEY_UNTESTED} />],
  ['持仓模式', wordOf(POSITION_MODE_LABEL, report.positionMode)],
  ['保证金模式', wordOf(MARGIN_MODE_LABEL, report.marginMode)],
  ['时间偏差', <Amount key="skew" value={report.skewMs} digits={0} signed unit="ms" reason={KEY_UNTESTED} />],
  ['延迟', <Amount key="latency" value={report.latencyMs} digits={0} unit="ms" reason={KEY_UNTESTED} />],
  ['请求权重', <Percent key="weight" value={report.weightUsed} digits={0} reason={KEY_UNTESTED} />],
  ['手续费等级', report.feeTier ?? missing],
  [
    '挂单 / 吃单',
    <span key="fees">
      <Amount value={inBps(report.makerFee)} digits={1} reason={KEY_UNTESTED} /> /{' '}
      <Bps value={report.takerFee} reason={KEY_UNTESTED} />
    </span>,
  ],
];

/** What an exchange said of a key: the verdict, what needs attention, and the facts. */
export function ReportView({ report }: { report: KeyReport }) {
  const { outcome, simulated, reason, findings, at } = report;
  const { type, title } = VERDICT[outcome];
  const isAccepted = outcome === 'accepted';
  return (
    <section className="stack" aria-label="测试结果">
      <Alert
        showIcon
        type={findings.some(({ level }) => level === 'danger') ? 'error' : findings.length > 0 ? 'warning' : type}
        title={`${title}${simulated ? '（模拟）' : ''}${isAccepted && findings.length > 0 ? '，但请注意' : ''}`}
        description={
          <>
            {findings.map(({ text }) => (
              <div key={text}>{text}</div>
            ))}
            {findings.length === 0 && reason}
            <span className="soft">
              测试于 <DateTime value={at} precision="second" />
            </span>
          </>
        }
      />
      {isAccepted && <CardFigures figures={figuresOf(report)} columns={2} />}
    </section>
  );
}
