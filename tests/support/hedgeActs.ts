import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { hedge } from '#contract/kinds/hedge/desk';
import { opening } from '#contract/opening';
import { openConsole, person, sent, sentTo, type Who } from './webConsole';

/** What was written; what a write would do is only read. */
export const written = () => sent.filter(({ method, path }) => method !== 'GET' && path !== opening.preview.path);
export const lists = () => sentTo(hedge.list);
export const lineOf = async (text: string | RegExp) =>
  waitFor(() => {
    const line = screen
      .getAllByText(text)
      .map((node) => node.closest('tr'))
      .find((row) => row !== null);
    expect(line).toBeDefined();
    return line!;
  });
/** The table of pairs and hedges. */
export const deskTable = async () => within(await screen.findByLabelText('交易对与对冲单', { selector: 'section' }));
/** Does what is in the menu of a row. */
export async function more(line: HTMLElement, item: string) {
  await person.click(within(line).getByLabelText(/的更多操作$/));
  await person.click(await screen.findByText(item));
}
export async function dialogOf(title: string | RegExp): Promise<HTMLElement> {
  // A confirmation has its title twice, one of them for those who listen; one that was closed may still be going.
  const dialog = (await screen.findAllByText(title)).at(-1)!.closest<HTMLElement>('[role=dialog]')!;
  // What it asks is loaded late.
  await waitFor(() => expect(within(dialog).queryByLabelText('加载中')).toBeNull());
  return dialog;
}
export const button = (within_: HTMLElement, text: string | RegExp) =>
  within(within_).getByText(text).closest('button')!;

/** Says yes to the save of a strategy that runs and opens nothing by it. */
export async function confirmSave(): Promise<void> {
  const dialog = await dialogOf(/^保存：/);
  await within(dialog).findByText(/没有标的会马上开仓/);
  await person.click(button(dialog, /^保\s?存$/));
}

/** Holds a button down for so long, ms. */
export async function hold(element: HTMLElement, length: number) {
  fireEvent.pointerDown(element, { button: 0 });
  await act(() => new Promise((resolve) => setTimeout(resolve, length)));
  fireEvent.pointerUp(element);
}

export async function choose(label: string, option: string) {
  fireEvent.mouseDown(screen.getByLabelText(label, { selector: 'input' }));
  await person.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }));
}

export const open = (address = '/strategy/hedge', who: Who = 'trader') => openConsole(address, who);
