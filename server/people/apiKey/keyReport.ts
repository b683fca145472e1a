import {
  EXPIRY_DANGER_DAYS,
  EXPIRY_WARNING_DAYS,
  isOtherMode,
  type KeyFinding,
  type KeyReport,
  SKEW_WARNING_MS,
  WEIGHT_WARNING,
} from '#contract/apiKey';
import { DAY_MS } from '#contract/duration';
import type { ApiKeyRecord, StoredReport } from '../../base/db/accounts/apiKey';
import { type Refusal, refused } from '../../base/http/refusal';
import { type KeyCheck, type KeyCredentials, NOTHING_SAID } from '../../market/keyCheck';

export const NO_EXCHANGE = '没有跟随任何交易所（EXCHANGES），现在不能测试密钥';

const TWO_WAY =
  '合约账户是双向持仓：不能用它交易。先平掉全部合约持仓、撤销挂单，再在交易所“合约 → 偏好设置 → 持仓模式”改为单向持仓（OKX：“交易设置 → 仓位模式”改为买卖模式）';
const ISOLATED =
  '有合约是逐仓保证金：不能用它交易。请在交易所把要交易的合约改为全仓（Bybit：把账户的保证金模式改为全仓；有持仓或挂单时先平掉、撤销）';
const OTHER_MODE =
  '账户模式不能用来交易。先平掉全部持仓、撤销挂单，再改：OKX 在“交易设置 → 账户模式”改为合约模式；Bybit 升级为统一账户、把保证金模式改为全仓；Gate 把统一账户改回经典账户，合约用新版保证金';

const NOT_CANCELLED =
  '失去联系后交易所不会替它撤单：只按市价开平，挂单会被拒绝。Bybit 只对机构开放断连撤单（DCP），可向客户经理申请';

/** Asks the exchange, where there is one to ask. */
export async function askExchange(
  keyCheck: KeyCheck | null,
  credentials: KeyCredentials,
  now: number,
): Promise<StoredReport> {
  const head = { at: now, simulated: keyCheck?.simulated ?? false };
  if (keyCheck === null) return { ...head, ...NOTHING_SAID, outcome: 'unavailable', reason: NO_EXCHANGE };
  try {
    return { ...head, ...(await keyCheck.check(credentials, now)) };
  } catch {
    // What a library throws here may quote the key: nothing of it is passed on.
    return { ...head, ...NOTHING_SAID, outcome: 'unanswered', reason: '询问交易所时出错' };
  }
}

/** Whole days until a key ends, rounded down; negative when it has ended. */
export const daysUntil = (expiresAt: number, now: number): number => Math.floor((expiresAt - now) / DAY_MS);

export const mayWithdraw = ({ rights }: Pick<StoredReport, 'rights'>): boolean => rights?.includes('withdraw') ?? false;

export const hasExpired = ({ expiresAt }: Pick<StoredReport, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

/** Whether a key has nearly asked as much as its exchange lets it in a minute. */
export const isBusy = ({ weightUsed }: Pick<StoredReport, 'weightUsed'>): boolean => (weightUsed ?? 0) > WEIGHT_WARNING;

export const percentOf = (share: number | null): string => `${Math.round((share ?? 0) * 100)} %`;

const found = (level: KeyFinding['level'], is: boolean, name: string, text: string): KeyFinding[] =>
  is ? [{ level, name, text }] : [];

function expiryFindings({ expiresAt }: StoredReport, now: number): KeyFinding[] {
  if (expiresAt === null) return [];
  const days = daysUntil(expiresAt, now);
  if (expiresAt <= now) return found('danger', true, '已过期', '密钥已过期');
  const text = days === 0 ? '密钥在 24 小时内到期' : `密钥还有 ${days} 天到期`;
  return found(days < EXPIRY_DANGER_DAYS ? 'danger' : 'warning', days < EXPIRY_WARNING_DAYS, '即将到期', text);
}

/** What needs attention at this moment, the worst first. @param outboundIp what a whitelist should hold. */
function findingsOf(report: StoredReport, now: number, outboundIp: string | null): KeyFinding[] {
  const { outcome, reason, ipRestricted, ipList, skewMs, weightUsed, positionMode, marginMode, accountType } = report;
  const trades = report.rights?.includes('derivative') ?? false;
  const skew = Math.abs(skewMs ?? 0);
  const only = outboundIp === null ? '' : `为 ${outboundIp}`;
  const findings = [
    ...found('danger', outcome === 'rejected', '被拒绝', `交易所没有接受：${reason}`),
    ...found('danger', outcome === 'unanswered', '没有回答', `交易所没有回答：${reason}`),
    ...found('warning', outcome === 'unavailable', '没有测试', String(reason)),
    ...found('danger', mayWithdraw(report), '可提现', '带提现权限：谁得到它就能转走资金，请立即在交易所关闭'),
    ...(outcome === 'accepted' ? expiryFindings(report, now) : []),
    ...found('warning', report.rights !== null && !trades, '不能交易', '没有合约交易权限：不能用来交易'),
    ...found('danger', trades && positionMode === 'twoWay', '双向持仓', TWO_WAY),
    ...found('danger', trades && marginMode === 'isolated', '逐仓', ISOLATED),
    ...found('danger', trades && isOtherMode(accountType), '账户模式', OTHER_MODE),
    ...found('warning', trades && report.cancelsForGone === false, '没有断连撤单', NOT_CANCELLED),
    ...found(
      'warning',
      ipRestricted === false || ipList?.length === 0,
      '没有 IP 白名单',
      `没有 IP 白名单：任何地址都能使用它，请在交易所限制${only}`,
    ),
    ...found(
      'warning',
      skew > SKEW_WARNING_MS,
      '时间偏差',
      `本机与交易所的时间相差 ${(skew / 1000).toFixed(1)} 秒，请校准时钟`,
    ),
    ...found(
      'warning',
      isBusy(report),
      '请求权重',
      `一分钟的请求权重已用 ${percentOf(weightUsed)}：用完后交易所暂停应答`,
    ),
  ];
  return [
    ...findings.filter(({ level }) => level === 'danger'),
    ...findings.filter(({ level }) => level === 'warning'),
  ];
}

/** A test as the API tells it. */
export const toldReport = (report: StoredReport, keyCheck: KeyCheck | null, now: number): KeyReport => ({
  // A report of before may not know what exchanges are asked by now.
  ...NOTHING_SAID,
  ...report,
  findings: findingsOf(report, now, keyCheck?.outboundIp ?? null),
});

type Watched = Pick<ApiKeyRecord, 'failures' | 'failingSince' | 'rightsSeen' | 'rightsBefore' | 'rightsChangedAt'>;

/** What a test of a stored key changes of what was seen of it; an exchange that is silent changes nothing. */
export function afterReport(record: Watched & Pick<ApiKeyRecord, 'report'>, report: StoredReport): Partial<Watched> {
  const { failures, failingSince } = record;
  if (report.outcome === 'rejected') return { failures: failures + 1, failingSince: failingSince ?? report.at };
  if (report.outcome !== 'accepted') return {};
  const seen = record.rightsSeen ?? record.report?.rights ?? null;
  const isChanged = seen !== null && report.rights !== null && !isSame(seen, report.rights);
  return {
    ...{ failures: 0, failingSince: null, rightsSeen: report.rights ?? seen },
    ...(isChanged ? { rightsBefore: seen, rightsChangedAt: report.at } : {}),
  };
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((right) => b.includes(right));

/** The field of which a reason speaks, by its name in it; that of the key where it speaks of several or of none. */
function fieldMeant(reason: string): 'key' | 'secret' | 'passphrase' {
  if (reason.includes('Passphrase')) return 'passphrase';
  return reason.includes('Secret') && !reason.includes('Key') ? 'secret' : 'key';
}

/** Why a key of which this was said is not stored; null when it may be. One that nobody could test is stored untested. */
export function whyNotStored(report: StoredReport, now: number): Refusal | null {
  if (hasExpired(report, now)) return refused('keyExpired', '', 'key');
  if (report.outcome === 'rejected')
    return refused('keyRejected', report.reason ?? '', fieldMeant(report.reason ?? ''));
  if (report.outcome === 'unanswered') return refused('keyUnanswered');
  return mayWithdraw(report) ? refused('keyWithdraws', '', 'key') : null;
}
