import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import fc from 'fast-check';
import { account } from '#contract/account';
import { DEFAULT_SETTINGS, type HedgeDesk, type HedgeSettings, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { opening } from '#contract/opening';
import { settingsForm } from '@/pages/strategy/hedge/settings/settingsForm';
import { drafts } from '@/services/drafts';
import { signalSession } from '@/services/sessionSignal';
import { hold, written } from '../support/hedgeActs';
import { AT, deskAnswers, deskOf, listOf, NEW_DESK } from '../support/hedgeFixtures';
import { dueRow, openingsOf } from '../support/openingFixtures';
import { answers, openConsole, person, refuses, responds, signedInAs, toasts } from '../support/webConsole';

const field = (label: string) => screen.getByLabelText(label, { selector: 'input' });
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const press = async (text: string | RegExp) => person.click((await screen.findByText(text)).closest('button')!);
const dialogOf = async (title: string | RegExp, selector?: string) =>
  (await screen.findByText(title, { selector })).closest<HTMLElement>('[role=dialog]')!;

const quietDesk = (more: Partial<HedgeDesk> = {}) => deskOf({ running: 0, pairs: [], ...more });

async function edit() {
  const console = openConsole('/strategy/hedge', 'trader');
  await person.click(await screen.findByRole('button', { name: /对冲配置/ }));
  await screen.findByText('查看修改');
  return console;
}

const pageEvent = (name: string, persisted: boolean) => Object.assign(new Event(name), { persisted });

// A full screen of tables on a busy machine.
jest.setTimeout(60_000);

beforeEach(() => {
  deskAnswers();
  // The settings are the same over an empty desk, which is drawn in a tenth of the time.
  answers(hedge.list, listOf([]));
  answers(hedgeConfig.desk, quietDesk());
  answers(account.state, { at: AT, account: null });
});

describe('the values of the form', () => {
  test('come back as they went, shares in percent between', () => {
    const share = fc.option(fc.integer({ min: 1, max: 900 }).map((tenths) => tenths / 1000));
    fc.assert(
      fc.property(share, share, share, (stopLoss, takeProfit, rebalance) => {
        const settings: HedgeSettings = { ...DEFAULT_SETTINGS, stopLoss, takeProfit, rebalance };
        expect(settingsForm.toApi(settingsForm.toForm(settings))).toEqual(settings);
      }),
    );
    expect(settingsForm.toForm({ ...DEFAULT_SETTINGS, stopLoss: 0.07 }).stopLoss).toBe(7);
  });
});

describe('the settings', () => {
  test('open with what is saved, show what changes and the margin, and are saved over their version', async () => {
    await edit();
    expect(field('止损')).toHaveValue('5.0');
    type('止损', '7.5');
    type('单日最大亏损', '');
    type('杠杆', '4');
    await press('查看修改');
    const review = within(await dialogOf('确认 3 项修改'));
    expect(await review.findByText('5%')).toBeInTheDocument();
    expect(review.getByText('7.5%')).toBeInTheDocument();
    expect(review.getByText('不启用')).toBeInTheDocument();
    // 2,000 x 2 x 5 / 4
    expect(review.getByText('5,000.00')).toBeInTheDocument();
    answers(hedgeConfig.update, { version: 4, settings: DEFAULT_SETTINGS });
    await press('确认保存');
    await waitFor(() => expect(written()).toHaveLength(1));
    expect(written()[0]).toMatchObject({
      method: 'PUT',
      body: { ...DEFAULT_SETTINGS, stopLoss: 0.075, dailyLossLimit: null, leverage: 4, version: 3, open: [] },
    });
    await waitFor(() => expect(toasts()).toEqual(['已保存：现在没有标的开仓']));
    await waitFor(() => expect(screen.queryByText('查看修改')).not.toBeInTheDocument());
    // The first test waits for the whole console to be compiled.
  }, 90_000);

  test('raise a limit that has tripped the desk, which goes on only where that is ticked', async () => {
    answers(hedgeConfig.desk, quietDesk({ enabled: false, tripped: '单日亏损 510.00 USDT', trippedAt: AT }));
    answers(hedgeConfig.update, { version: 4, settings: DEFAULT_SETTINGS, resumed: false });
    await edit();
    type('单日最大亏损', '900');
    await press('查看修改');
    const review = within(await dialogOf('确认 1 项修改'));
    const resume = await review.findByLabelText(/^提高上限后恢复/);
    expect(resume).not.toBeChecked();
    fireEvent.click(resume);
    await review.findByText(/没有标的会马上开仓/);
    await press('确认保存');
    await waitFor(() => expect(written()[0]?.body).toMatchObject({ dailyLossLimit: 900, resume: true, open: [] }));
    await waitFor(() => expect(toasts()).toEqual(['已保存；仍达到上限，没有恢复']));
  });

  test('with room for more pairs open those that are ticked: what something speaks against is left out until then', async () => {
    const [sound, flagged] = [
      dueRow('SOLUSDT', 'ADAUSDT'),
      dueRow('DOGEUSDT', 'XRPUSDT', { opens: false, warnings: ['fit'] }),
    ];
    answers(opening.preview, openingsOf([sound, flagged]));
    answers(hedgeConfig.update, { version: 4, settings: DEFAULT_SETTINGS });
    await edit();
    type('最大并行对数', '7');
    await press('查看修改');
    const review = within(await dialogOf('确认 1 项修改'));
    expect(await review.findByLabelText('开仓 多 SOLUSDT / 空 ADAUSDT')).toBeChecked();
    expect(review.getByLabelText('开仓 多 DOGEUSDT / 空 XRPUSDT')).not.toBeChecked();
    expect(review.getByText('关系不可靠：R² < 0.2')).toBeInTheDocument();
    // 4,000 of the one that is ticked.
    expect(review.getByLabelText('合计')).toHaveTextContent(/开仓1 个名义合计 USDT4,000/);
    const verb = review.getByText('按住 1 秒：确认保存并开仓 1 个').closest('button')!;
    await person.click(verb);
    expect(written()).toEqual([]);
    await hold(verb, 1_100);
    await waitFor(() => expect(written()).toHaveLength(1));
    expect(written()[0]!.body).toMatchObject({ maxHedges: 7, open: [sound.targetId], openSeen: 7 });
  });

  test('keep to the bounds of the contract and to the rule across fields', async () => {
    answers(hedgeConfig.desk, quietDesk({ settings: { ...DEFAULT_SETTINGS, entry: 'z' } }));
    await edit();
    type('止损', '95');
    expect(await screen.findByText('止损不能大于 90')).toBeInTheDocument();
    type('杠杆', '');
    expect(await screen.findByText('请输入杠杆')).toBeInTheDocument();
    type('出场 z', '3');
    expect(await screen.findByText('出场 z 必须小于入场 z')).toBeInTheDocument();
    await press('查看修改');
    expect(screen.queryByText(/项修改/)).not.toBeInTheDocument();
  });

  test('put what the server refuses on its field', async () => {
    await edit();
    type('杠杆', '20');
    await press('查看修改');
    const message = '杠杆超过该币种的上限：SOLUSDT 最高 10 倍';
    refuses(hedgeConfig.update, { code: 5019, message, data: { fields: [{ field: 'leverage', message }] } });
    await press('确认保存');
    expect(await screen.findByText(message, { selector: '.ant-form-item-explain *' })).toBeInTheDocument();
    await waitFor(() => expect(toasts()).toEqual([message]));
    expect(field('杠杆')).toHaveValue('20');
  });

  test('show who saved in between and all three states; nothing typed is lost', async () => {
    await edit();
    type('杠杆', '4');
    type('每腿名义', '3000');
    await press('查看修改');
    refuses(hedgeConfig.update, { status: 409, code: 409, message: '配置已被修改' });
    const theirs = { ...DEFAULT_SETTINGS, leverage: 2, maxHedges: 9 };
    answers(hedgeConfig.desk, quietDesk({ settings: theirs, version: 4, updatedBy: 'master', updatedAt: AT }));
    await press('确认保存');
    const dialog = await dialogOf('配置已被他人修改');
    expect(within(dialog).getByText(/master 在 .* 保存了配置/)).toBeInTheDocument();
    const lines = [...within(dialog).getByLabelText('三方对比').querySelectorAll('tbody tr.ant-table-row')].map(
      (line) => [...line.querySelectorAll('td')].slice(0, 4).map((cell) => cell.textContent),
    );
    expect(lines).toEqual([
      ['杠杆', '3 倍', '2 倍', '4 倍'],
      ['最大并行对数', '5 对', '9 对', '5 对'],
      ['每腿名义', '2,000 USDT', '2,000 USDT', '3,000 USDT'],
    ]);
    await person.click(within(within(dialog).getByLabelText('杠杆 保留')).getByText('他人'));
    answers(hedgeConfig.update, { version: 5, settings: theirs });
    // What it would open is looked at again.
    answers(opening.preview, openingsOf([dueRow('SOLUSDT', 'ADAUSDT')]));
    await press('按所选保存');
    await hold((await screen.findByText('按住 1 秒：确认保存并开仓 1 个')).closest('button')!, 1_100);
    await waitFor(() => expect(written()).toHaveLength(2));
    expect(written()[1]!.body).toMatchObject({ ...theirs, legNotional: 3000, version: 4, openSeen: 7 });
    expect(written()[1]!.body).toMatchObject({ open: ['pair-SOLUSDT-ADAUSDT'] });
  });

  test('are not thrown away without asking, and go without a word where nothing was typed', async () => {
    await edit();
    type('每腿名义', '3000');
    await press(/^关\s?闭$/);
    const dialog = await dialogOf('放弃修改：对冲配置', '.ant-modal-confirm-title');
    await waitFor(() => expect(dialog).toHaveTextContent('改过的 1 项不会保存：每腿名义'));
    await person.click(
      within(dialog)
        .getByText(/^返\s?回$/)
        .closest('button')!,
    );
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(field('每腿名义')).toHaveValue('3000');
    type('每腿名义', '2000');
    await press(/^关\s?闭$/);
    await waitFor(() => expect(screen.queryByText('查看修改')).not.toBeInTheDocument());
  });

  test('say at the first save that they are for the paper account, and start from the defaults', async () => {
    answers(hedgeConfig.desk, NEW_DESK);
    answers(hedgeConfig.create, { version: 1, settings: DEFAULT_SETTINGS });
    openConsole('/strategy/hedge', 'trader');
    await press('对冲配置');
    expect(await screen.findByText(/这些参数用于你的模拟账户/)).toBeInTheDocument();
    await press('检查并保存');
    await press('确认保存');
    await waitFor(() => expect(written()).toHaveLength(1));
    expect(written()[0]).toMatchObject({ method: 'POST', body: DEFAULT_SETTINGS });
  });

  test('whose first answer was lost are saved again under the same name, other ones under another', async () => {
    answers(hedgeConfig.desk, NEW_DESK);
    responds(hedgeConfig.create, () => Response.error());
    openConsole('/strategy/hedge', 'trader');
    await press('对冲配置');
    const save = async (times: number) => {
      await press('确认保存');
      await waitFor(() => expect(written()).toHaveLength(times));
      expect(await screen.findByText(/无法连接服务器/, { selector: '[role=dialog] *' })).toBeInTheDocument();
      return written()[times - 1]!.headers.get('idempotency-key');
    };
    await press('检查并保存');
    const first = await save(1);
    expect(await save(2)).toBe(first);
    await press('返回修改');
    type('杠杆', '4');
    await press('检查并保存');
    expect(await save(3)).not.toBe(first);
  });

  test('stay in place when the server does not answer', async () => {
    await edit();
    type('杠杆', '4');
    await press('查看修改');
    responds(hedgeConfig.update, () => Response.error());
    await press('确认保存');
    expect(await screen.findByText(/无法连接服务器/, { selector: '[role=dialog] *' })).toBeInTheDocument();
    expect(field('杠杆')).toHaveValue('4');
    await press('确认保存');
    await waitFor(() => expect(written()).toHaveLength(2));
    const [one, again] = written().map(({ headers }) => headers.get('idempotency-key'));
    expect(again).toBe(one);
  });
});

describe('what was typed when the session ended', () => {
  const OFFER = /离开前（.*）填写的内容还在/;

  /** The session ends while somebody types, and somebody signs in again. */
  async function endsAndComesBack(who: string) {
    await edit();
    type('止损', '7.5');
    refuses(hedgeConfig.desk, { code: 401, message: '登录已失效', status: 401 });
    signedInAs('visitor');
    await screen.findByLabelText('用户名', {}, { timeout: 30_000 });
    answers(hedgeConfig.desk, quietDesk());
    signedInAs(who);
    act(() => signalSession('signedIn', false));
    await press('对冲配置');
    await screen.findByText('查看修改');
  }

  test('is offered to the same person, in the form and above the screen, until it is taken', async () => {
    await endsAndComesBack('trader');
    expect(await screen.findByRole('link', { name: '对冲配置' })).toBeInTheDocument();
    const offer = (await screen.findByText(OFFER)).closest<HTMLElement>('[role=alert]')!;
    expect(field('止损')).toHaveValue('5.0');
    await person.click(within(offer).getByRole('button', { name: /恢\s?复/ }));
    expect(field('止损')).toHaveValue('7.5');
    await waitFor(() => expect(screen.queryByText(OFFER)).not.toBeInTheDocument());
    expect(screen.queryByRole('link', { name: '对冲配置' })).not.toBeInTheDocument();
  });

  test('and when the browser left the page is offered too, unless it comes back as it was', async () => {
    const { unmount } = await edit();
    type('止损', '7.5');
    const leave = (persisted: boolean) => act(() => void dispatchEvent(pageEvent('pagehide', persisted)));
    leave(true);
    expect(await screen.findByRole('link', { name: '对冲配置' })).toBeInTheDocument();
    act(() => void dispatchEvent(pageEvent('pageshow', true)));
    expect(screen.queryByRole('link', { name: '对冲配置' })).not.toBeInTheDocument();
    leave(false);
    unmount();
    await edit();
    const offer = (await screen.findByText(OFFER)).closest<HTMLElement>('[role=alert]')!;
    await person.click(within(offer).getByRole('button', { name: /恢\s?复/ }));
    expect(field('止损')).toHaveValue('7.5');
  });

  test('lasts until the page is loaded again where the storage of the tab is full', () => {
    const draft = {
      title: '对冲配置',
      place: '/strategy/hedge',
      userId: 'u',
      values: { stopLoss: 7.5 },
      at: Date.now(),
    };
    const full = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    drafts.keep(draft);
    full.mockRestore();
    expect(drafts.find('u', draft)).toEqual(draft);
    drafts.drop(draft);
    expect(drafts.find('u', draft)).toBeUndefined();
  });

  test('is offered to nobody else', async () => {
    await endsAndComesBack('editor');
    expect(screen.queryByText(OFFER)).not.toBeInTheDocument();
  });
});
