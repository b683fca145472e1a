import FieldText from '@ant-design/pro-components/es/field/components/Text';
import { type ComponentType, createElement } from 'react';

type Field = ComponentType<Record<string, unknown>>;

const both = (field: unknown) => {
  const draw = (text: unknown, props: object) => createElement(field as Field, { ...props, text });
  return { render: draw, formItemRender: draw };
};

/**
 * In the place of pro-components' table of value types: those in use, of some forty. Fields of a ProForm bring their
 * own; a column or a schema that wants another type gets plain text until it is added here.
 */
export default { text: both(FieldText) };
