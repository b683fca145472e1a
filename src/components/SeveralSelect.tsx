import { Select, type SelectProps } from 'antd';
import type { DefaultOptionType } from 'antd/es/select';
import type { KeyboardEvent } from 'react';

/** With Tab the library takes the option that happens to be highlighted: who has typed nothing wants to go on. */
function goOn(event: KeyboardEvent): void {
  if (event.key === 'Tab' && (event.target as HTMLInputElement).value === '') event.stopPropagation();
}

/** Several of a list, found by typing. */
export const SeveralSelect = <V = string[], O extends DefaultOptionType = DefaultOptionType>(
  props: SelectProps<V, O>,
) => (
  <span style={{ display: 'contents' }} onKeyDownCapture={goOn}>
    <Select<V, O> mode="multiple" {...props} />
  </span>
);
