import { InputNumber, type InputNumberProps } from 'antd';

/** The digits and signs of what was typed: a Chinese keyboard gives them in full width, and a point as 。. */
const digitsOf = (typed = ''): string =>
  typed
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replaceAll('−', '-')
    .replace(/[^\w.-]+/g, '');

/** A number as a person types it. */
export const NumberInput = <T extends number | string = number>(props: InputNumberProps<T>) => (
  <InputNumber<T> parser={digitsOf as InputNumberProps<T>['parser']} {...props} />
);
