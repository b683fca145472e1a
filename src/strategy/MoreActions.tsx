import { Button } from 'antd';
import { ActionMenu } from '@/components/ActionMenu';

interface MoreActionsProps {
  /** What they are done to. */
  name: string;
  items: readonly { key: string; label: string; disabled?: boolean; run: () => void }[];
}

/** The actions of a row that find no room beside it. */
export const MoreActions = ({ name, items }: MoreActionsProps) => (
  <ActionMenu
    menu={{
      items: items.map(({ key, label, disabled }) => ({ key, label, disabled })),
      onClick: ({ key }) => items.find((item) => item.key === key)?.run(),
    }}
  >
    <Button size="small" autoInsertSpace={false} aria-label={`${name} 的更多操作`}>
      更多
    </Button>
  </ActionMenu>
);
