import { Popover } from 'antd';
import { type ReactElement, useState } from 'react';
import { ViewsPanel } from './ViewsPanel';

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
