import { DeleteOutlined, LinkOutlined } from '@ant-design/icons';
import { history, useLocation } from '@umijs/max';
import { Button, Input, Popover, Skeleton, Tooltip } from 'antd';
import { type ReactElement, useState } from 'react';
import { type SavedView, savedView, VIEW_NAME_LENGTH } from '#contract/savedView';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import styles from './Views.module.css';

/** The button and what it opens, which is open at first: the click that brought it was for that. */
export default function Views({ children }: { children: ReactElement }) {
  const [open, setOpen] = useState(true);
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title="保存的视图"
      open={open}
      onOpenChange={setOpen}
      content={<ViewsPanel onChosen={() => setOpen(false)} />}
      destroyOnHidden
    >
      {children}
    </Popover>
  );
}

/** A page number is no part of a view, nor is the row or the strategy that happens to be open. */
const PASSING = ['current', 'id', 'strategy'];

/** What the address says of the list now. */
function queryOf(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of PASSING) params.delete(name);
  return params.toString();
}

async function copyLink(address: string): Promise<void> {
  const link = new URL(address, window.location.origin).href;
  try {
    await navigator.clipboard.writeText(link);
    toast.success('已复制链接，有权限的人打开后看到同样的筛选');
  } catch {
    // Without TLS a page may not write to the clipboard.
    toast.error(`无法写入剪贴板，请手动复制：${link}`);
  }
}

/** The views of this screen: to go to, to hand on, to take away, and to add the present one. */
function ViewsPanel({ onChosen }: { onChosen: () => void }) {
  const { pathname, search } = useLocation();
  const screen = pathname.replace(/(.)\/$/, '$1');
  const { data, error, mutate } = useCall(savedView.list, { query: { screen } });
  const [name, setName] = useState('');
  const query = queryOf(search);
  const addressOf = (view: Pick<SavedView, 'query'>) => (view.query === '' ? screen : `${screen}?${view.query}`);
  const isTaken = data?.list.some((view) => view.name === name.trim()) === true;

  const save = async () => {
    if (name.trim() === '') return;
    await call(savedView.save, { body: { screen, name, query } });
    toast.success(`已保存视图「${name.trim()}」`);
    setName('');
    await mutate();
  };
  const remove = async ({ id }: SavedView) => {
    await call(savedView.remove, { body: { id } });
    await mutate();
  };
  const go = (view: SavedView) => {
    onChosen();
    history.push(addressOf(view));
  };
  // What went wrong was said by the call itself.
  const told = (work: Promise<unknown>) => void work.catch(() => {});
  return (
    <div className={styles.views}>
      {data === undefined && (error ? <p role="alert">{error.text}</p> : <Skeleton active title={false} />)}
      {data?.total === 0 && <p className="soft">还没有视图。筛选、排序、列表之外的假设（如规模）都会一起保存。</p>}
      <ul>
        {data?.list.map((view) => (
          <li key={view.id}>
            <Button type="link" aria-current={view.query === query} onClick={() => go(view)}>
              {view.name}
            </Button>
            <Tooltip title="复制链接">
              <Button
                type="text"
                size="small"
                icon={<LinkOutlined />}
                aria-label={`复制 ${view.name} 的链接`}
                onClick={() => void copyLink(addressOf(view))}
              />
            </Tooltip>
            <Tooltip title="删除">
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined />}
                aria-label={`删除 ${view.name}`}
                onClick={() => told(remove(view))}
              />
            </Tooltip>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          told(save());
        }}
      >
        <Input
          value={name}
          maxLength={VIEW_NAME_LENGTH}
          placeholder="当前筛选的名称"
          aria-label="视图名称"
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="primary" htmlType="submit" disabled={name.trim() === ''}>
          {isTaken ? '覆盖' : '保存'}
        </Button>
      </form>
    </div>
  );
}
