import { Dropdown, type MenuProps } from 'antd';
import { cloneElement, type ReactElement, useRef } from 'react';

interface ActionMenuProps {
  menu: MenuProps;
  /** The button that opens it. */
  children: ReactElement<{ ref?: React.Ref<HTMLElement> }>;
}

/**
 * A menu below a button. The keyboard goes into it, and with what is chosen back to the button, so that a dialog that
 * comes up then can give the focus back in its turn.
 */
export function ActionMenu({ menu, children }: ActionMenuProps) {
  const button = useRef<HTMLElement>(null);
  const onClick: MenuProps['onClick'] = (chosen) => {
    button.current?.focus();
    menu.onClick?.(chosen);
  };
  return (
    <Dropdown autoFocus trigger={['click']} menu={{ ...menu, onClick }}>
      {cloneElement(children, { ref: button })}
    </Dropdown>
  );
}
