import { ActionMenu } from '@/components/ActionMenu';
import { MoneyButton } from '@/components/MoneyButton';

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
    <MoneyButton size="small" aria-label={`${name} 的更多操作`}>
      更多
    </MoneyButton>
  </ActionMenu>
);
