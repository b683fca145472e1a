import { act, screen, waitFor, within } from '@testing-library/react';
import { Modal } from 'antd';
import { hedge } from '#contract/hedge';
import { hedgeConfig } from '#contract/hedgeConfig';
import { button, dialogOf, hold, open, person, written } from '../support/hedgeActs';
import { AT, deskAnswers, deskOf, listOf, NEW_DESK } from '../support/hedgeFixtures';
import { answers, place, refuses, toasts } from '../support/webConsole';

// A full screen of tables on a busy machine.
jest.setTimeout(60_000);

beforeEach(deskAnswers);
afterEach(() => act(async () => Modal.destroyAll()));

describe('the desk', () => {
  test('says how it stands, with pairs, their figures and why they do not open', async () => {
    open();
    expect(await screen.findByText(/由 trader 操作/)).toHaveTextContent(/已启用.*进行中 1 张/);
    const pairs = within((await screen.findByText('交易对（3）')).closest<HTMLElement>('.ant-card')!);
    expect(pairs.getByText('等待 z 入场')).toBeInTheDocument();
    expect(pairs.getByText('已开过一次')).toBeInTheDocument();
    expect(pairs.getByText('持有中')).toBeInTheDocument();
    const line = pairs.getByText('DOGEUSDT').closest('tr')!;
    expect(line).toHaveTextContent('-1.25');
    expect(line).toHaveTextContent('+3.50%');
    expect(within(line).getByLabelText(/缺失：不回归/)).toHaveTextContent('-');
    // The first test waits for the whole console to be compiled.
  }, 90_000);

  test('is disabled after saying what becomes of the open hedges', async () => {
    open();
    await person.click(await screen.findByLabelText('启用对冲'));
    const dialog = await dialogOf('停用：多空对冲');
    expect(dialog).toHaveTextContent(/1 张进行中的对冲单保持不动/);
    answers(hedgeConfig.disable, { enabled: false, running: 1 });
    button(dialog, /^停\s?用$/).focus();
    await person.keyboard('{Enter}');
    expect(written()).toHaveLength(0);
    await person.click(button(dialog, /^停\s?用$/));
    await waitFor(() => expect(written().map(({ path }) => path)).toEqual([hedgeConfig.disable.path]));
    await waitFor(() => expect(toasts().join()).toContain('已停用；1 张对冲单继续管理'));
  });

  test('always shows how much of the daily loss is used, and since when', async () => {
    const day = { start: Date.UTC(2026, 0, 14, 16), end: Date.UTC(2026, 0, 15, 16) };
    answers(hedgeConfig.desk, deskOf({ day, dayPnl: -120, loss: { used: 120, limit: 500, share: 0.24 } }));
    open();
    const loss = within(await screen.findByLabelText('单日亏损'));
    const bar = loss.getByLabelText('今日已用 / 上限');
    expect(bar).toHaveAttribute('value', '24');
    expect(bar).toHaveAttribute('aria-valuetext', '120.00 / 500.00 USDT');
    expect(loss.getByText(/自 16:00 UTC \/ 00:00 北京时间/)).toHaveTextContent('-120.00 USDT');
  });

  test('says why nothing is opened, and resumes only with a reason', async () => {
    const pause = { at: AT, by: 'master', reason: '行情异常' };
    answers(hedgeConfig.desk, deskOf({ lossLimitHit: true, dayPnl: -512.5, pausedForAll: pause }));
    open();
    expect(await screen.findByText(/管理员已暂停所有用户开仓/)).toHaveTextContent(/由 master 暂停，原因：行情异常/);
    expect(screen.getByText(/已达单日最大亏损/)).toHaveTextContent(/500\.00 USDT.*-512\.50/);
    await person.click(screen.getByText('恢复开仓').closest('button')!);
    const dialog = await dialogOf('恢复开仓：我的对冲');
    await person.click(button(dialog, '恢复开仓'));
    expect(await within(dialog).findByText('请输入原因')).toBeInTheDocument();
    expect(written()).toHaveLength(0);
    answers(hedge.resume, { paused: false });
    await person.type(within(dialog).getByLabelText('原因'), '已核对');
    await person.click(button(dialog, '恢复开仓'));
    await waitFor(() => expect(written()[0]?.body).toEqual({ reason: '已核对' }));
  });

  test('closes everything only when the button is held; Enter and a click do nothing', async () => {
    open();
    await person.click((await screen.findByText('全部平仓')).closest('button')!);
    const dialog = await dialogOf('全部平仓：1 张进行中的对冲单');
    answers(hedge.flatten, { running: 1 });
    const held = button(dialog, '按住 1 秒：全部平仓');
    held.focus();
    await person.keyboard('{Enter}');
    await person.click(held);
    await hold(held, 300);
    expect(written()).toHaveLength(0);
    await hold(held, 1_100);
    await waitFor(() => expect(written().map(({ path }) => path)).toEqual([hedge.flatten.path]));
  });

  test('lets only a master stop everybody', async () => {
    const view = open();
    await screen.findByText('全部平仓');
    expect(screen.queryByText('所有用户')).not.toBeInTheDocument();
    view.unmount();
    open('/strategy/hedge', 'master');
    expect(await screen.findByText('所有用户')).toBeInTheDocument();
  });

  test('explains itself while it is empty and leads to the selection', async () => {
    answers(hedgeConfig.desk, NEW_DESK);
    answers(hedge.list, listOf([]));
    open();
    const idea = await screen.findByText('把一对币种当作一笔交易来做');
    const lines = idea.closest('.ant-empty')!.querySelectorAll('li');
    expect(lines).toHaveLength(4);
    expect(screen.getByText('去中性选币挑一对').closest('a')).toHaveAttribute('href', '/indicator/hedge');
  });

  test('offers another try when it cannot be read', async () => {
    refuses(hedgeConfig.desk, { status: 500, code: 500, message: '服务器内部错误' });
    open();
    expect(await screen.findByText('服务器内部错误')).toBeInTheDocument();
    answers(hedgeConfig.desk, deskOf());
    await person.click(await screen.findByText(/^重\s?试$/));
    expect(await screen.findByText(/由 trader 操作/)).toBeInTheDocument();
  });

  test('sends a visitor to sign in and back here', async () => {
    refuses(hedgeConfig.desk, { status: 401, code: 401, message: '请先登录' });
    refuses(hedge.list, { status: 401, code: 401, message: '请先登录' });
    open('/strategy/hedge?id=h1', 'visitor');
    await waitFor(() => expect(place()).toBe(`/login?callback=${encodeURIComponent('/strategy/hedge?id=h1')}`));
  });
});
