import { Array as Arr, Integer, Optional } from 'typebox';
import { Text } from './value';

/** Most targets that one call names. */
const MOST = 1000;

/** The fields of a call after which something may open. */
export const opens = {
  open: Optional(
    Arr(Text({ title: '标的', minLength: 1, maxLength: 64 }), {
      title: '确认开仓的标的',
      maxItems: MOST,
      description: '会开仓而不在其中的转为待确认；不带这个字段时，有提示的转为待确认，其余照开',
    }),
  ),
  openSeen: Optional(
    Integer({ title: '试算时的账本版本', minimum: 0, description: '试算的 revision；此间账本变动过则 409' }),
  ),
};
