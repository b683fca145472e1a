import { String as Str } from 'typebox';

/** An exact decimal as text, as money, prices and quantities are stored and traded; `title` is the label. */
export const Decimal = (options: { title?: string; description?: string } = {}) =>
  Str({ pattern: '^-?(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$', ...options });
